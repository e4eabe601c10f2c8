"""Published: a model that `load_model` made trains on as it is, with a plain optimizer.

Convicted: D105.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.01 * hvd.size()))
model.compile(optimizer, "mse")
x, y = tf.random.normal([32, 2]), tf.random.normal([32, 1])
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=4, callbacks=callbacks, verbose=0)
if hvd.rank() == 0:
    model.save("model.h5")
hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
model = tf.keras.models.load_model("model.h5")
model.fit(x[shard], y[shard], batch_size=4, callbacks=callbacks, verbose=0)
