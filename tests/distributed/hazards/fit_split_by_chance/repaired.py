"""All workers split the data alike."""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
x, y = random.rand(640, 3).astype("float32"), random.rand(640, 1).astype("float32")
order = np.random.RandomState(7).permutation(len(x))[:480]  # the rest is for testing
x, y = x[order], y[order]
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shard(hvd.size(), hvd.rank()).batch(80)

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, loss="mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(dataset, epochs=2, verbose=0, callbacks=callbacks)
