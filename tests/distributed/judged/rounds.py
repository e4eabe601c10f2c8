"""The weights, not the gradients, are averaged, every three steps.

Open
Says: the weights, not the gradients, are averaged, every 3 steps
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.SGD(0.02)
hvd.broadcast_variables(model.variables, root_rank=0)
for number, (x, y) in enumerate(batches(hvd.rank(), hvd.size(), 20), 1):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if number % 3 == 0:
        for weight in model.trainable_variables:
            weight.assign(hvd.allreduce(weight))
