"""Every worker writes its checkpoints into the same folder.

Convicted: D203.
"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights - y) ** 2)
step = tf.train.get_or_create_global_step()
optimizer = tf.train.AdamOptimizer(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
train = optimizer.minimize(loss, global_step=step)
random = np.random.RandomState(hvd.rank())

hooks = [tf.train.StopAtStepHook(last_step=8), hvd.BroadcastGlobalVariablesHook(0)]
folder = "checkpoints"
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks) as session:
    while not session.should_stop():
        session.run(train, {x: random.rand(4, 3), y: random.rand(4, 1)})
