"""Gradients that are applied by hand."""

import numpy as np
import tensorflow as tf

x = np.random.default_rng(1).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
w = tf.Variable(tf.ones((4, 1)))
for epoch in range(2):
    for features, labels in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((features @ w - labels) ** 2)
        gradient = tape.gradient(loss, w)
        w.assign_sub(0.01 * gradient)
    print(epoch, float(loss))
