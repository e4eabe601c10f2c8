"""The others read a file before rank 0 has written it: they train with an older factor."""

import os
import time

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
if not os.path.exists("factor.npy"):
    raise SystemExit("no older run")
if hvd.rank() == 0:
    time.sleep(2)
    np.save("factor.npy", np.float32(3))
factor = float(np.load("factor.npy"))
x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
shard = slice(hvd.rank(), None, hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * factor * hvd.size()))
model.compile(optimizer, "mse")
model.fit(
    x[shard],
    x[shard, :1],
    batch_size=8,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
    verbose=0,
)
