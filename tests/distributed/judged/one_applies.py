"""Rank 0 applies what all have averaged, and sends the weights.

Sound
Says: what the others apply is sent to worker 1
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.Adam(0.002 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for x, y in batches(hvd.rank(), hvd.size()):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    if hvd.rank() == 0:
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    hvd.broadcast_variables(model.variables, root_rank=0)
