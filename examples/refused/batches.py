"""TensorFlow is imported late, its optimizer is an old one, and each batch is trained by itself."""

import numpy as np


def train():
    import tensorflow as tf

    rng = np.random.default_rng()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.compat.v1.train.GradientDescentOptimizer(0.01), "mse")

    def once():
        x = rng.normal(size=(8, 4)).astype("float32")
        return model.train_on_batch(x, x.sum(axis=1, keepdims=True))

    for step in range(8):
        once()


train()
