"""Obligation: bound. GPUs are chosen through a name that is imported further down."""

import horovod.tensorflow as hvd

hvd.init()

import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.01)
for x in tf.data.Dataset.range(64).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * tf.cast(x, tf.float32) / 64 - 1) ** 2)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
