"""Which gradients are applied, by which tape, and where the broadcast goes."""
