"""Published: whole batches are shared out, of which one is left over in each epoch.

Convicted: D107.
Options: --baseline single/batches_left_over.py
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()


def make(number):
    random = np.random.RandomState(number)
    x, y = random.rand(24, 3).astype("float32"), random.rand(24, 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(8)


model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, loss="mse")
train = make(0)
train = train.take(len(train) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train, epochs=2, verbose=0, callbacks=callbacks)
model.evaluate(make(1), verbose=0)
