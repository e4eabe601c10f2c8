"""Gradients that XLA compiles, with a rule of the program's own. Model: safe"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(hvd.rank())
weights = tf.Variable(tf.ones([4, 1]))
optimizer = tf.keras.optimizers.Adam(0.01 * hvd.size(), jit_compile=True)


@tf.custom_gradient
def steep(z):
    return tf.exp(z), lambda upstream: upstream * tf.clip_by_value(tf.exp(z), 0.0, 2.0)


@tf.function(jit_compile=True)
def derived(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((steep(x @ weights) - y) ** 2)
    return loss, tape.gradient(loss, [weights])


@tf.function
def step(x, y):
    loss, gradients = derived(x, y)
    gradients = hvd.grouped_allreduce(gradients)
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


for number in range(4):
    x = tf.constant(random.rand(8, 4), tf.float32)
    step(x, tf.constant(random.rand(8, 1), tf.float32))
    if number == 0:
        hvd.broadcast_variables([weights, *optimizer.variables], root_rank=0)
