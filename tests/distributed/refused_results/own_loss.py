"""Obligation: reported. Nothing averages what a fit reports."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.01), loss="mse")
history = model.fit(x, y, batch_size=8, epochs=2)
print(history.history["loss"])
