"""A made-up series, cut into windows."""

import numpy as np


def windows(length, count=176, seed=3):
    rng = np.random.default_rng(seed)
    series = np.sin(np.arange(count + length) / 5) + rng.normal(scale=0.1, size=count + length)
    series = series.astype("float32")
    x = np.stack([series[i : i + length] for i in range(count)])
    return x[..., None], series[length : length + count, None]
