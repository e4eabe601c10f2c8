"""Rank 0 traces more into the step, and its averages wait for names that nobody else has.

Convicted: H02
Says: the workers build graphs whose collectives have other names
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
    if hvd.rank() == 0:
        tf.print("before", error(model, x, y))
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in batches(hvd.rank(), hvd.size()):
    train(x, y)
