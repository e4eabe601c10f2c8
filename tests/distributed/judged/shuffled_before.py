"""Each worker shuffles for itself, and takes every other example of that.

Convicted: H01
At: data = data.shuffle(384)
Says: each worker draws an order of its own before the data is shared out
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import INPUTS, TARGETS, network

hvd.init()
data = tf.data.Dataset.from_tensor_slices((INPUTS, TARGETS))
data = data.shuffle(384)
data = data.shard(hvd.size(), hvd.rank()).batch(24)
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
model.compile(hvd.DistributedOptimizer(optimizer), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(data, epochs=2, verbose=0, callbacks=start)
