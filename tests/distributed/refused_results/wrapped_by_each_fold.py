"""Obligation: averaged. A function that wraps is called with what it gave, and sums twice."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(1, input_shape=(4,), kernel_initializer="zeros")]
)
optimizer = tf.keras.optimizers.SGD(0.01)
for fold in range(2):
    model.compile(optimizer, loss="mse")
    model.fit(x[fold::2], y[fold::2], batch_size=8, epochs=2)
