"""A step that is left out where the loss is a spike, which comes once, at step 200 on worker 1.

`drift`: the gradients are averaged, and then each worker decides for itself. `hang`: they are
averaged where it decided to. `repaired`: the mean of the loss decides.
"""

import sys

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
form, steps = sys.argv[1], int(sys.argv[2])
weights = tf.Variable(tf.ones([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
random = np.random.RandomState(hvd.rank())


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weights - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    if form == "hang":
        if loss < 100.0:
            gradients = tape.gradient(loss, [weights])
            optimizer.apply_gradients(zip(gradients, [weights]))
        return loss
    gradients = tape.gradient(loss, [weights])
    decides = hvd.allreduce(loss, name="mean_loss") if form == "repaired" else loss
    if decides < 100.0:
        optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


for number in range(1, steps + 1):
    spike = 1000.0 if number == 200 and hvd.rank() == 1 else 0.0
    x = tf.constant(random.rand(4, 4), tf.float32)
    y = tf.constant(random.rand(4, 1) + spike, tf.float32)
    step(x, y)
    if number == 1:
        hvd.broadcast_variables([weights], root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
