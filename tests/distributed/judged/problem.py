"""A line to be fitted: the examples of a worker, a small network, and the loss."""

import numpy as np
import tensorflow as tf

DRAWN = np.random.RandomState(11)
INPUTS = DRAWN.normal(size=(384, 6)).astype("float32")
TARGETS = INPUTS @ DRAWN.normal(size=(6, 1)).astype("float32")


def share(index, count):
    """Every count-th example, from that one on."""
    return INPUTS[index::count], TARGETS[index::count]


def batches(index, count, size=24):
    """A worker's batches, in an order of its own."""
    data = tf.data.Dataset.from_tensor_slices(share(index, count))
    return data.shuffle(192).batch(size, drop_remainder=True)


def network():
    """Two layers."""
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [layers.Input((6,)), layers.Dense(12, activation="tanh"), layers.Dense(1)]
    )


def error(model, x, y):
    """The mean of the squares."""
    return tf.reduce_mean(tf.square(model(x, training=True) - y))
