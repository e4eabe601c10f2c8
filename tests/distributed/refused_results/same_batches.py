"""Obligation: size. Each worker takes the same batches of a table, and the rate grows."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
opt = tf.keras.optimizers.SGD(0.01)
for i in range(0, 64, 8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[i : i + 8]) - y[i : i + 8]) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))
