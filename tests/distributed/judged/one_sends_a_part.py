"""Rank 0 applies what all have averaged by hand, and sends the weights of the last layer.

Convicted: D202
Says: their weights differ: dense/kernel and dense/bias
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.Adam(0.002 * hvd.size())
weights = model.trainable_variables
hvd.broadcast_variables(weights, root_rank=0)
for x, y in batches(hvd.rank(), hvd.size()):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = [hvd.allreduce(each) for each in tape.gradient(loss, weights)]
    if hvd.rank() == 0:
        optimizer.apply_gradients(zip(gradients, weights))
    hvd.broadcast_variables(model.layers[-1].variables, root_rank=0)
