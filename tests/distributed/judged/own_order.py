"""Each worker takes its share of an order of its own.

Convicted: H01
Says: each worker draws an order of its own before the data is shared out
Says: the same seed on all workers
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from problem import INPUTS, TARGETS, network

hvd.init()
mine = np.random.permutation(len(INPUTS))[hvd.rank() :: hvd.size()]
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
model.compile(hvd.DistributedOptimizer(optimizer), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(INPUTS[mine], TARGETS[mine], batch_size=24, epochs=2, verbose=0, callbacks=start)
