"""Published: the name is wrapped; an older name still means the optimizer that is not.

Convicted: D105.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
chosen = optimizer
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(chosen, loss="mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(tf.random.normal([8, 2]), tf.ones([8, 1]), batch_size=2, verbose=0, callbacks=callbacks)
