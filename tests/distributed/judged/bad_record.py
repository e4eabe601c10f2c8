"""A worker skips the step of a batch whose loss is no number, and the others wait for it.

Convicted: H12
Says: after 4 steps worker 1 took examples without a step; worker 0 made one
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for number, (x, y) in enumerate(batches(hvd.rank(), hvd.size())):
    if number == 4 and hvd.rank() == 1:
        y = y / 0.0
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    if not bool(tf.math.is_finite(loss)):
        continue
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
