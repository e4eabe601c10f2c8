"""Rank 0 restores before the first step; the broadcast behind it carries the values on."""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
weights = tf.Variable(tf.random.normal([3, 1]))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
random = np.random.RandomState(hvd.rank())


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weights - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    optimizer.apply_gradients(zip(tape.gradient(loss, [weights]), [weights]))
    return loss


checkpoint = tf.train.Checkpoint(weights=weights)
if hvd.rank() == 0 and not tf.io.gfile.exists("earlier-1.index"):
    checkpoint.save("earlier")
if hvd.rank() == 0:
    checkpoint.restore("earlier-1")

for number in range(8):
    x = tf.constant(random.rand(4, 3), tf.float32)
    y = tf.constant(random.rand(4, 1), tf.float32)
    loss = step(x, y)
    if number == 0:
        hvd.broadcast_variables([weights], root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
