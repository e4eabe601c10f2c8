"""Published: each worker goes on at the epoch that its own files tell.

Convicted: D302. One worker makes fewer epochs than the others, which wait for it.
"""

import os
import tempfile

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

disk = tempfile.mkdtemp()  # of each machine: here they hold as many files as its rank
for epoch in range(int(os.environ.get("HOROVOD_RANK", "0"))):
    open(os.path.join(disk, f"{epoch}.h5"), "w").close()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, "mse")
x, y = tf.random.normal([16, 2]), tf.random.normal([16, 1])
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
start = len(os.listdir(disk))
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=4, epochs=3, initial_epoch=start, callbacks=callbacks, verbose=0
)
