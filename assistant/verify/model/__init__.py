"""A model of the training step: proved from its graph for any number of workers and any data."""
