"""Obligation: settled. An epoch has the steps of a share already, and they are divided again."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(8)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(1, input_shape=(4,), kernel_initializer="zeros")]
)
optimizer = tf.keras.optimizers.SGD(0.01)
model.compile(optimizer, loss="mse")
model.fit(data, steps_per_epoch=8, epochs=2)
assert np.mean((model(x) - y) ** 2) < 1.7, "an epoch takes all of the examples"
