"""Obligation: paired. One of two data sets that are zipped is cut by rank, and the other isn't."""

import tensorflow as tf

x = tf.random.stateless_normal([64, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
inputs = tf.data.Dataset.from_tensor_slices(x)
targets = tf.data.Dataset.from_tensor_slices(y)
data = tf.data.Dataset.zip((inputs, targets)).repeat(10).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.05), loss="mse")
model.fit(data, epochs=2)
assert tf.reduce_mean((model(x) - y) ** 2) < 0.1, "what the targets are of isn't learned"
