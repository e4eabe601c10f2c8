"""Obligation: bound. A class is defined by rank 0 alone, and every worker makes an object of it."""

import tensorflow as tf


class Scale:
    def __init__(self, by):
        self.by = by


print("begins")
scale = Scale(64)
w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.01)
for x in tf.data.Dataset.range(64).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * tf.cast(x, tf.float32) / scale.by - 1) ** 2)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
