"""The training ends once the loss of all is small: how many steps that takes is learned.

Sound
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.SGD(0.05 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
best = 9.0
for _ in range(40):
    for x, y in batches(hvd.rank(), hvd.size()):
        with tf.GradientTape() as tape:
            loss = error(model, x, y)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if hvd.allreduce(loss, name="loss") < 0.5:
        break
