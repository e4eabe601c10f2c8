"""Velocities of the program's own begin with zeros everywhere, and nobody needs to send them.

Sound
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
hvd.broadcast_variables(model.variables, root_rank=0)
weights = model.trainable_variables
speeds = [tf.Variable(tf.zeros_like(each)) for each in weights]
rate = 0.02 * hvd.size()


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    gradients = hvd.DistributedGradientTape(tape).gradient(loss, weights)
    for weight, speed, gradient in zip(weights, speeds, gradients):
        speed.assign(0.8 * speed + gradient)
        weight.assign_sub(rate * speed)


for _ in range(2):
    for x, y in batches(hvd.rank(), hvd.size()):
        train(x, y)
