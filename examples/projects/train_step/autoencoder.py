"""A denoising autoencoder."""

import tensorflow as tf

from base import Learner


class Autoencoder(Learner):
    def __init__(self, features, code, **kwargs):
        super().__init__(**kwargs)
        self.encode = tf.keras.layers.Dense(code, activation="relu")
        self.decode = tf.keras.layers.Dense(features)

    def call(self, x):
        return self.decode(self.encode(x))

    def compute_batch_loss(self, x, y):
        return tf.reduce_mean(tf.square(self(x, training=True) - y))
