"""Published: the user's list becomes one element of the new list."""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
x, y = tf.random.normal([8, 2]).numpy(), tf.ones([8, 1]).numpy()
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if hvd.rank() == 0:
    callbacks.append([tf.keras.callbacks.TerminateOnNaN()])
else:
    callbacks.append([])
model.fit(x, y, batch_size=2, verbose=0, callbacks=callbacks)
trained = model.trainable_variables
