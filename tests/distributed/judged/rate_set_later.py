"""A callback sets the rate of the second epoch, and forgets the workers.

Convicted: D104
At: model.fit(
Says: from step 9 on 0.005 where one has 0.005, as LearningRateScheduler sets it
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
model.compile(hvd.DistributedOptimizer(optimizer), "mse")


def lower(epoch, rate):
    return rate if epoch == 0 else 0.005


model.fit(
    batches(hvd.rank(), hvd.size()),
    epochs=2,
    verbose=0,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        tf.keras.callbacks.LearningRateScheduler(lower),
    ],
)
