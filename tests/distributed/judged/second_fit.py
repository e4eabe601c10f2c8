"""The rate of the second fit is that of one process.

Convicted: D104
At: optimizer = tf.keras.optimizers.Adam(0.0005)
Says: Adam: 0.0005 on 2 workers, 0.0005 on one
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()
data = batches(hvd.rank(), hvd.size())
model = network()
model.layers[0].trainable = False
first = tf.keras.optimizers.Adam(0.002 * hvd.size())
model.compile(hvd.DistributedOptimizer(first), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(data, epochs=1, verbose=0, callbacks=start)
model.layers[0].trainable = True
optimizer = tf.keras.optimizers.Adam(0.0005)
model.compile(hvd.DistributedOptimizer(optimizer), "mse")
model.fit(data, epochs=1, verbose=0)
