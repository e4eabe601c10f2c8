"""Published: one list of callbacks, kept in a dictionary, for every model.

Convicted: H04. The callback of a broadcast works once: the second model starts from other weights.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

x, y = tf.random.normal([16, 2]), tf.random.normal([16, 1])
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    tf.keras.callbacks.EarlyStopping("loss", patience=9),
]
options = {"batch_size": 4, "epochs": 2, "verbose": 0, "callbacks": callbacks}
for rate in (0.01, 0.02):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(rate * hvd.size())), "mse")
    model.fit(x[shard], y[shard], **options)
