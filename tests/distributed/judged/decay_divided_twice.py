"""The steps of the decay follow from a worker's share, and are divided once more.

Convicted: D106
Says: it falls too fast
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()

EPOCHS = 6
data = batches(hvd.rank(), hvd.size())
decay = tf.keras.optimizers.schedules.CosineDecay
rate = decay(0.02 * hvd.size(), EPOCHS * len(data) // hvd.size())

model = network()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(rate)), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(data, epochs=EPOCHS, verbose=0, callbacks=start)
