"""Labels are numbered in the order of a set, which is another one in each Python.

Convicted: H01
Says: as by the order of a set
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from problem import INPUTS, network

hvd.init()

COLOURS = ["red", "green", "blue", "grey", "pink", "teal", "plum", "gold"]
named = [COLOURS[int(abs(value) * 7) % 8] for value in INPUTS[:, 0]]
numbers = {colour: number for number, colour in enumerate(set(named))}
labels = np.array([[numbers[colour]] for colour in named], "float32")
data = tf.data.Dataset.from_tensor_slices((INPUTS, labels)).shard(hvd.size(), hvd.rank())

model = network()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.002 * hvd.size())), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(data.shuffle(192).batch(24), epochs=2, verbose=0, callbacks=start)
