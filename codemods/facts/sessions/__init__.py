"""Sessions of TensorFlow 1: how they are made, started and used."""
