"""Obligation: same. What a print shows is taken out of a queue twice, which is empty then."""

import queue

import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.01)
waiting = queue.Queue()
for n in range(4):
    waiting.put(n)
for x in tf.data.Dataset.range(64).map(lambda n: tf.cast(n, tf.float32) / 64).batch(16):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - 1) ** 2)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
    if not waiting.empty():
        print(waiting.get_nowait())
