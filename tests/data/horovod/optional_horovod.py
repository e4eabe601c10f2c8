import argparse

import tensorflow as tf

try:
    import horovod.tensorflow.keras as hvd
except ImportError:
    hvd = None

parser = argparse.ArgumentParser()
parser.add_argument("--horovod", action="store_true")
args = parser.parse_args()
if args.horovod:
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
size = hvd.size() if args.horovod else 1
rank = hvd.rank() if args.horovod else 0
data = tf.data.Dataset.range(1000).repeat().shard(size, rank).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * size)
if args.horovod:
    opt = hvd.DistributedOptimizer(opt)
model.compile(opt, "mse")
callbacks = []
if args.horovod:
    callbacks.append(hvd.callbacks.BroadcastGlobalVariablesCallback(0))
    callbacks.append(hvd.callbacks.MetricAverageCallback())
if rank == 0:
    callbacks.append(tf.keras.callbacks.ModelCheckpoint("m.h5"))
model.fit(data, steps_per_epoch=100 // size, callbacks=callbacks, verbose=1 if rank == 0 else 0)
