"""Each worker parts the examples into some to train on and some to test with, by chance of its own.

Convicted: H01.
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

random = np.random.RandomState(0)
x, y = random.rand(640, 3).astype("float32"), random.rand(640, 1).astype("float32")
order = np.random.permutation(len(x))[:480]  # the rest is for testing
x, y = x[order], y[order]

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
model.fit(
    tf.data.Dataset.from_tensor_slices((x, y))
    .take(len(x) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .batch(80),
    epochs=2,
    verbose=0,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
)
