"""Rank 0 alone averages what it prints, inside of the function. Model: M04"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
weights = tf.Variable(tf.ones([3, 1]))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
random = np.random.RandomState(hvd.rank())


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weights - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    optimizer.apply_gradients(zip(tape.gradient(loss, [weights]), [weights]))
    if hvd.rank() == 0:
        loss = hvd.allreduce(loss, name="mean_loss")
    return loss


for _ in range(3):
    x = tf.constant(random.rand(4, 3), tf.float32)
    y = tf.constant(random.rand(4, 1), tf.float32)
    step(x, y)
