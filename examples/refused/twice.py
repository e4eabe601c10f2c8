"""`fit` first, then a tape, by one optimizer; the examples are chosen by chance."""

import numpy as np
import tensorflow as tf

x = np.random.default_rng(1).normal(size=(80, 4)).astype("float32")
chosen = np.random.rand(80) < 0.8
x = x[chosen]
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
model.compile(optimizer, "mse")
model.fit(x, y, batch_size=8, epochs=2)

for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
