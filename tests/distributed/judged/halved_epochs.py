"""Each worker takes its share of the data, and half of the epochs, too.

Convicted: D106
Says: 1,152 examples on 2 workers, 2,304 in one process (24 steps each, and 96)
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()

EPOCHS = 6

model = network()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.002 * hvd.size())), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(batches(hvd.rank(), hvd.size()), epochs=EPOCHS // hvd.size(), verbose=0, callbacks=start)
