"""A callback sets the rate of each epoch, and forgets the workers that the optimizer knows.

Convicted: D104
At: model.fit(batches(hvd.rank(), hvd.size()), epochs=3, verbose=0, callbacks=callbacks)
Says: LearningRateScheduler sets it, in the place of 0.04, which was right
Says: multiply by hvd.size() what its function returns, too
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
model.compile(hvd.DistributedOptimizer(optimizer), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.01 / (1 + epoch)),
]
model.fit(batches(hvd.rank(), hvd.size()), epochs=3, verbose=0, callbacks=callbacks)
