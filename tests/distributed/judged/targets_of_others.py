"""Each worker takes its share of the inputs, and the first targets there are.

Convicted: D107
Says: targets of other examples
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import INPUTS, TARGETS, network

hvd.init()

size = len(INPUTS) // hvd.size()
own = INPUTS[hvd.rank() * size : (hvd.rank() + 1) * size]
data = tf.data.Dataset.from_tensor_slices((own, TARGETS[:size]))

model = network()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.002 * hvd.size())), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(data.shuffle(192).batch(24), epochs=2, verbose=0, callbacks=start)
