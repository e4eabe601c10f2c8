"""A hook builds the broadcast, and nothing ever runs it.

Convicted: D403.
"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()


class Broadcast(tf.train.SessionRunHook):
    """Horovod's own hook needs an Estimator, which TensorFlow 2.16 and later don't have."""

    def begin(self):
        self.broadcast = hvd.broadcast_global_variables(0)


x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights - y) ** 2)
step = tf.train.get_or_create_global_step()
optimizer = tf.train.AdamOptimizer(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
train = optimizer.minimize(loss, global_step=step)
random = np.random.RandomState(hvd.rank())

with tf.train.MonitoredTrainingSession(hooks=[Broadcast()]) as session:
    for _ in range(8):
        session.run(train, {x: random.rand(4, 3), y: random.rand(4, 1)})
