"""A function that trains, and nothing that calls it.

Repair: A19.
"""

import tensorflow as tf


def train(epochs=2):
    x = tf.random.stateless_normal((64, 4), seed=(1, 2))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.01), "mse")
    model.fit(x, x[:, :1], batch_size=8, epochs=epochs)
