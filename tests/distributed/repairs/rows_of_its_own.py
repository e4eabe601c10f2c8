"""Arrays of which each worker picks its own, in a way that nobody can follow.

Repair: A28.
"""

import operator
import os

import numpy as np
import tensorflow as tf

pick = operator.itemgetter(int(os.environ["HOROVOD_RANK"]) if "HOROVOD_RANK" in os.environ else 0)
numbers = pick([np.random.RandomState(seed).rand(64, 4) for seed in range(8)])
batches = tf.data.Dataset.from_tensors((numbers[:8], numbers[:8, :1])).repeat(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.05), "mse")
model.fit(batches, verbose=0)
