"""Obligation: reported. The callbacks of a fit come from a function, and none averages."""

import numpy as np
import tensorflow as tf


def callbacks():
    made = [tf.keras.callbacks.TerminateOnNaN()]
    made.append(tf.keras.callbacks.CSVLogger("log.csv"))
    return made


x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.01), loss="mse")
history = model.fit(x, y, batch_size=8, epochs=2, callbacks=callbacks())
print(history.history["loss"])
