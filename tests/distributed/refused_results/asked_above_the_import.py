"""Obligation: bound. A function asks for the rank, and is called above the import of Horovod."""

import os


def load():
    os.makedirs("data", exist_ok=True)
    print("loaded")
    return 64


COUNT = load()
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.01)
for x in tf.data.Dataset.range(64).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * tf.cast(x, tf.float32) / COUNT - 1) ** 2)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
