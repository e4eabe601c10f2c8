"""It is reduced on all workers, by the same averaged loss."""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, loss="mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
plateau = tf.keras.callbacks.ReduceLROnPlateau("loss", factor=0.1, patience=1, min_delta=9.0)
callbacks.append(plateau)
model.fit(x, y, batch_size=8, epochs=4, verbose=0, callbacks=callbacks)
