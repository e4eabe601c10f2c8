"""The rate falls after so many steps of one process, of which a worker makes half.

Convicted: D106
At: optimizer = tf.keras.optimizers.SGD(rate)
Says: it falls too slowly
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

EPOCHS, OF_ONE = 6, 16
size = hvd.size()
boundaries = [EPOCHS * OF_ONE // 3, EPOCHS * OF_ONE // 2]
schedule = tf.keras.optimizers.schedules.PiecewiseConstantDecay
rate = schedule(boundaries, [0.02 * size, 0.004 * size, 0.0008 * size])
optimizer = tf.keras.optimizers.SGD(rate)
model = network()
hvd.broadcast_variables(model.variables, root_rank=0)
for _ in range(EPOCHS):
    for x, y in batches(hvd.rank(), size):
        with tf.GradientTape() as tape:
            loss = error(model, x, y)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
