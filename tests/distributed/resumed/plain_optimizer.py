"""Published: a run that resumes takes the model of the file as it is, with a plain optimizer.

Convicted: D105.
"""

import os

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

if os.path.exists("model.h5"):
    model = tf.keras.models.load_model("model.h5")
else:
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
