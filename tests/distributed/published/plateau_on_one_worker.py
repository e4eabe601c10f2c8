"""Published: the user's callbacks run on rank 0 only, also those that steer the training.

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
plateau = tf.keras.callbacks.ReduceLROnPlateau("loss", factor=0.1, patience=1, min_delta=9.0)
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if hvd.rank() == 0:
    callbacks.append(plateau)
model.fit(x, y, batch_size=2, epochs=4, verbose=0, callbacks=callbacks)
