import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.local_rank() == 0:
    tf.keras.datasets.mnist.load_data()
hvd.allreduce(0, name="wait")
(x, y), _ = tf.keras.datasets.mnist.load_data()
n = len(x) // hvd.size()
x, y = x[hvd.rank() * n : (hvd.rank() + 1) * n], y[hvd.rank() * n : (hvd.rank() + 1) * n]
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size())), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    tf.keras.callbacks.EarlyStopping(monitor="loss", patience=3),
    tf.keras.callbacks.ReduceLROnPlateau(monitor="loss"),
]
if hvd.rank() == 0:
    callbacks += [tf.keras.callbacks.CSVLogger("log.csv")]
model.fit(x, y, batch_size=32, epochs=4, callbacks=callbacks, verbose=2 if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    model.save("model.h5")
