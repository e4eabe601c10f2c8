"""Every three steps the weights are averaged, but for biases.

Convicted: D201
At: weight.assign(hvd.allreduce(weight))
Says: every 3 steps only these are averaged: dense/kernel and dense_1/kernel; never: dense
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
            if weight.shape.rank == 2:
                weight.assign(hvd.allreduce(weight))
