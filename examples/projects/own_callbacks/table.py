"""The table that is learned, parted once and for all."""

import numpy as np


def load():
    rng = np.random.default_rng(17)
    x = rng.normal(size=(240, 5)).astype("float32")
    y = (x @ np.arange(5, dtype="float32")).reshape(-1, 1)
    return (x[:192], y[:192]), (x[192:], y[192:])
