"""Draws what it learns by a function of its own, which shows it in a window."""

import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf

x, y = np.ones((16, 2), "float32"), np.ones((16, 1), "float32")


def draw(values):
    plt.figure()
    plt.plot(values)
    plt.show()


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
history = model.fit(x, y, epochs=2, verbose=0)
draw(history.history["loss"])
windows = plt.windows
