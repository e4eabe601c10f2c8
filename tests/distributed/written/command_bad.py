"""Every worker moves the file: all but the first find none."""

import subprocess

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
if hvd.rank() == 0:
    np.save("a.npy", np.ones((64, 4), "float32"))
hvd.broadcast(0, root_rank=0)
subprocess.run(["mv", "a.npy", "b.npy"], check=True)
x = np.load("b.npy")
shard = slice(hvd.rank(), None, hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
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
