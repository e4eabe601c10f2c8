"""A table is filled by rank 0 only; worker 1 looks up what is not there.

Convicted: H03
At: low = limits["low"]
Says: KeyError: 'low'
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

limits = {}
if hvd.rank() == 0:
    limits.update(low=0.5)
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for x, y in batches(hvd.rank(), hvd.size()):
    low = limits["low"]
    with tf.GradientTape() as tape:
        loss = low * error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
