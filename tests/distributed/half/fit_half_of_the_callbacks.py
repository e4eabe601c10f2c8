"""The metrics are averaged, of models that never came to the same start.

Convicted: D302.
Missing: D102 D302.
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, "mse")
callbacks = [hvd.callbacks.MetricAverageCallback()]
model.fit(x, y, batch_size=8, epochs=2, verbose=1 if hvd.rank() == 0 else 0, callbacks=callbacks)
