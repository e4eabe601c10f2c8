"""A list is named as an argument of Horovod is; nothing is averaged.

Convicted: D201
At: optimizer.apply_gradients(zip(gradients, model.trainable_variables))
Says: no worker handed a gradient to Horovod
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
local_layers = list(model.layers)
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for x, y in batches(hvd.rank(), hvd.size()):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
