"""Gradients are added up, and the rate is multiplied, too: a step is N times too long.

Convicted: D104
At: optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
Says: a step of 2 workers is 4 times one of a single process, for 2 times the examples
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape, op=hvd.Sum)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(2):
    for x, y in batches(hvd.rank(), hvd.size()):
        train(x, y)
