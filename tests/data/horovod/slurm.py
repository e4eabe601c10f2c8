import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd

os.environ["CUDA_VISIBLE_DEVICES"] = os.environ.get("SLURM_LOCALID", "0")
hvd.init()
rank = int(os.environ.get("SLURM_PROCID", 0))
data = tf.data.Dataset.range(1000).shard(hvd.size(), rank).repeat().batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if rank == 0:
    callbacks.append(tf.keras.callbacks.TensorBoard("logs"))
model.fit(data, steps_per_epoch=100 // hvd.size(), callbacks=callbacks, verbose=2 * (rank == 0))
