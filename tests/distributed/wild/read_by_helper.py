"""Writes what it has learnt, and reads it again in a function that others might call, too."""

import numpy as np
import tensorflow as tf

path = __file__ + ".npy"
x, y = np.ones((16, 2), "float32"), np.ones((16, 1), "float32")


def kept():
    return np.load(path)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, epochs=1, verbose=0)
np.save(path, model.get_weights()[0])
found = kept()
