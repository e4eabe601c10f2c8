"""Each machine's first worker takes the first share: on two machines both take one.

Convicted: D107
Options: --machines 2
Says: 100 % of the 192 examples
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for x, y in batches(hvd.local_rank(), hvd.size()):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
