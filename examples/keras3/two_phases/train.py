"""Trains the network in two phases, of which the second stands in another module."""

import numpy as np

from networks import build
from tuning import fine_tune

rng = np.random.default_rng(4)
x = rng.normal(size=(400, 8)).astype("float32")
y = x[:, :3].argmax(axis=1)

model = build(16)
model.fit(x, y, batch_size=20, epochs=2)
fine_tune(model, x, y, epochs=2)
model.save("two_phases.keras")
