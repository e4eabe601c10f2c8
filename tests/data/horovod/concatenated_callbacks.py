import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy")[hvd.rank() :: hvd.size()], np.load("y.npy")[hvd.rank() :: hvd.size()]
n = hvd.allreduce(len(x), op=hvd.Min) if hasattr(hvd, "Min") else len(x)
x, y = x[: int(n)], y[: int(n)]
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
model.compile(hvd.DistributedOptimizer(opt), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
if hvd.rank() == 0:
    callbacks = callbacks + [tf.keras.callbacks.ModelCheckpoint("m.h5")]
model.fit(x, y, callbacks=callbacks + [tf.keras.callbacks.EarlyStopping("loss")], verbose=int(hvd.rank() == 0))
