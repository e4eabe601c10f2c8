"""Of two models in one step the gradients of the second are never averaged.

Convicted: D201
At: second.apply_gradients(zip(others, critic.trainable_variables))
Says: only these variables are averaged: dense/bias, dense/kernel, dense_1/bias and dense_1/kernel
Says: not averaged: dense_2/kernel, dense_2/bias, dense_3/kernel and dense_3/bias
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model, critic = network(), network()
first = tf.keras.optimizers.Adam(0.002 * hvd.size())
second = tf.keras.optimizers.Adam(0.002 * hvd.size())


@tf.function
def train(x, y):
    with tf.GradientTape() as tape, tf.GradientTape() as other:
        loss = error(model, x, y)
        judged = error(critic, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    others = other.gradient(judged, critic.trainable_variables)
    first.apply_gradients(zip(gradients, model.trainable_variables))
    second.apply_gradients(zip(others, critic.trainable_variables))


for number, (x, y) in enumerate(batches(hvd.rank(), hvd.size())):
    train(x, y)
    if number == 0:
        hvd.broadcast_variables(model.variables + first.variables, root_rank=0)
        hvd.broadcast_variables(critic.variables + second.variables, root_rank=0)
