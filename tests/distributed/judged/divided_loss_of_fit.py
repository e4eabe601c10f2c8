"""The loss of a fit is divided by all examples of a step, and its gradients are averaged.

Convicted: D104
At: optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
Says: a step of 2 workers is 1 times one of a single process, for 2 times the examples
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()


def loss(y, predicted):
    return tf.reduce_sum(tf.square(predicted - y)) / (24.0 * hvd.size())


model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
model.compile(hvd.DistributedOptimizer(optimizer), loss)
model.fit(
    batches(hvd.rank(), hvd.size()),
    epochs=2,
    verbose=0,
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)],
)
