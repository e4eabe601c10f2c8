"""Every worker writes its checkpoints into the same folder.

Convicted: D203.
"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
hvd.init()


def model(features, labels, mode):
    weights = v1.get_variable("weights", [3, 1])
    loss = tf.reduce_mean((features @ weights - labels) ** 2)
    optimizer = v1.train.AdamOptimizer(0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer)
    train = optimizer.minimize(loss, global_step=v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def batches():
    random = np.random.RandomState(hvd.rank())
    data = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices(data).repeat().batch(4)


estimator = tf.estimator.Estimator(model, model_dir="estimator")
estimator.train(batches, steps=8, hooks=[hvd.BroadcastGlobalVariablesHook(0)])
