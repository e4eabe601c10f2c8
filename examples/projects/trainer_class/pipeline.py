"""A dataset of made-up numbers."""

import numpy as np
import tensorflow as tf


def dataset(samples, batch):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(samples, 4)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(batch)
