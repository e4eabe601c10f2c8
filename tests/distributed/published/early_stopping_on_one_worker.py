"""Published: the user's callbacks run on rank 0 only, so one worker stops alone.

Convicted: D302.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
print("started", hvd.rank(), flush=True)

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
x, y = tf.random.normal([8, 2]).numpy(), tf.ones([8, 1]).numpy()
stop = tf.keras.callbacks.EarlyStopping("loss", patience=1, min_delta=9.0)
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if hvd.rank() == 0:
    callbacks.append(stop)
model.fit(x, y, batch_size=2, epochs=9, verbose=0, callbacks=callbacks)
