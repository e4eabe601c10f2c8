"""What happens once at the start: imports, devices, the choice of Keras."""
