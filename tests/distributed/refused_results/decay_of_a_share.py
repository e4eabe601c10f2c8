"""Obligation: settled. A schedule counts the steps of a share, and they are divided again."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(1, input_shape=(4,), kernel_initializer="zeros")]
)
rate = tf.keras.optimizers.schedules.ExponentialDecay(0.01, 4, 0.5)
optimizer = tf.keras.optimizers.SGD(rate)
model.compile(optimizer, loss="mse")
model.fit(x, y, batch_size=8, epochs=2, shuffle=False)
assert abs(rate(model.optimizer.iterations) * 16 - rate(0)) < 1e-6, "the rate is halved four times"
