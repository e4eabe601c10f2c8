"""What can be set."""

SIDE = 8
CLASSES = 10
BATCH = 16
EPOCHS = 2
RATE = 0.02
