"""Published: batches are taken apart and shared out, so that one worker has a batch more.

Convicted: H02.
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()


def make(number):
    random = np.random.RandomState(number)
    x, y = random.rand(25, 3).astype("float32"), random.rand(25, 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(4)


model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, loss="mse")
train = make(0)
train = train.unbatch().shard(hvd.size(), hvd.rank()).batch(4)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train, epochs=2, verbose=0, callbacks=callbacks)
model.evaluate(make(1), verbose=0)
