"""The rate is scaled where it is named and again where it is used.

Convicted: D104.
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
rate = 0.01 * hvd.size()
random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(rate * hvd.size()))
model.compile(optimizer, loss="mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x, y, batch_size=8, epochs=2, verbose=0, callbacks=callbacks)
