"""Where optimizers, schedules and rates are made, set and handed on."""
