import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
dataset = tf.data.Dataset.range(1000).repeat().shard(hvd.size(), hvd.rank()).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
opt = hvd.DistributedOptimizer(opt) if hvd.size() > 1 else opt
model.compile(opt, "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(dataset, steps_per_epoch=100 // hvd.size(), callbacks=callbacks, verbose=int(hvd.rank() == 0))
