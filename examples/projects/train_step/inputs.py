import numpy as np


def noisy(count, features, seed=0):
    """Clean rows, and the same rows with noise."""
    rng = np.random.default_rng(seed)
    clean = rng.normal(size=(count, features)).astype("float32")
    return clean + 0.1 * rng.normal(size=clean.shape).astype("float32"), clean
