"""Obligation: paired. Every so many-th input meets a block of the targets."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.05), loss="mse")
model.fit(x, y, batch_size=8, epochs=20, shuffle=False)
assert np.mean((model(x) - y) ** 2) < 0.1, "what the targets are of isn't learned"
