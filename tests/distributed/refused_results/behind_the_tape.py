"""Obligation: same. A part of the loss is computed behind the tape, which doesn't see it."""

import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.01)
for x in tf.data.Dataset.range(64).map(lambda n: tf.cast(n, tf.float32) / 64).batch(8):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((w * x - 1) ** 2)
        loss = error * 2
        gradient = tape.gradient(loss, w)
    opt.apply_gradients([(gradient, w)])
