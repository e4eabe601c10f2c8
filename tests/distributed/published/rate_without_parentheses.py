"""Published: `hvd.size()` is written behind the expression, so it scales the last summand only.

Convicted: D104.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

base, extra = 0.01, 0.02
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(learning_rate=base + extra * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(tf.ones([8, 2]), tf.ones([8, 1]), batch_size=2, verbose=0, callbacks=callbacks)
