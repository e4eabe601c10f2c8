"""Words are numbered in the order of a set: the same text is another one on each worker.

Convicted: H01
At: numbers = {word: number for number, word in enumerate(set(WORDS))}
Says: something is numbered in the order of a set
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from problem import INPUTS, TARGETS

hvd.init()

WORDS = ["red", "green", "blue", "grey", "pink", "teal", "plum", "gold"]
numbers = {word: number for number, word in enumerate(set(WORDS))}
texts = [[WORDS[int(abs(value) * 7) % 8] for value in row] for row in INPUTS]
x = np.array([[numbers[word] for word in text] for text in texts])
data = tf.data.Dataset.from_tensor_slices((x, TARGETS)).shard(hvd.size(), hvd.rank())

layers = tf.keras.layers
model = tf.keras.Sequential(
    [layers.Input((6,)), layers.Embedding(8, 4), layers.Flatten(), layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(0.002 * hvd.size())
model.compile(hvd.DistributedOptimizer(optimizer, sparse_as_dense=True), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(data.shuffle(192).batch(24), epochs=2, verbose=0, callbacks=start)
