"""A name of TensorFlow that is bound again, and a class of the name of its base.

Repair: A01.
"""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers

tf = tf.compat.v2  # whatever the default is


class Model(Model):
    """Two layers."""

    def __init__(self):
        super().__init__()
        self.hidden = layers.Dense(8)
        self.out = layers.Dense(1)

    def call(self, x):
        return self.out(self.hidden(x))


x = np.random.default_rng(1).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = Model()
model.compile(tf.keras.optimizers.SGD(0.01), "mse")
model.fit(x, y, batch_size=8, epochs=2)
