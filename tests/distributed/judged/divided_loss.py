"""The loss is divided by all examples of a step, and its gradients are averaged: 1/N of a step.

Convicted: D104
At: optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
Says: a step of 2 workers is 1 times one of a single process, for 2 times the examples
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()

WHOLE_BATCH = 24 * hvd.size()
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for _ in range(2):
    for x, y in batches(hvd.rank(), hvd.size()):
        with tf.GradientTape() as tape:
            squares = tf.reduce_sum(tf.square(model(x, training=True) - y), axis=1)
            loss = tf.nn.compute_average_loss(squares, global_batch_size=WHOLE_BATCH)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
