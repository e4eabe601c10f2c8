"""Published: `append` returns None, so there are no callbacks at all, and no broadcast.

Convicted: D302.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
x, y = tf.random.normal([8, 2]).numpy(), tf.ones([8, 1]).numpy()
callbacks = [tf.keras.callbacks.TerminateOnNaN()]
broadcast = hvd.callbacks.BroadcastGlobalVariablesCallback(0)
model.fit(x, y, batch_size=2, verbose=0, callbacks=callbacks.append(broadcast))
