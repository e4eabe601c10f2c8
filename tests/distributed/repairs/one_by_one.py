"""Gradients applied one by one.

Repair: A10.
"""

import tensorflow as tf

x = tf.random.stateless_normal((64, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
w, b = tf.Variable(tf.random.normal((4, 1))), tf.Variable(0.0)
optimizer = tf.keras.optimizers.SGD(0.01)
for inputs, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((inputs @ w + b - targets) ** 2)
    grads = tape.gradient(loss, [w, b])
    for g, v in zip(grads, [w, b]):
        optimizer.apply_gradients([(g, v)])
