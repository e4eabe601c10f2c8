"""A monitored session saves on every worker, into one folder.

Convicted: D203
Says: `checkpoint_dir="…" if hvd.rank() == 0 else None`
Never: write it on one worker only
"""

import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf
from problem import share

tf.disable_eager_execution()
hvd.init()
inputs, targets = share(hvd.rank(), hvd.size())
x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [6, 1])
loss = tf.reduce_mean(tf.square(x @ weights - y))
step = tf.train.get_or_create_global_step()
optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.01 * hvd.size()))
train = optimizer.minimize(loss, global_step=step)
hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=6)]
with tf.train.MonitoredTrainingSession(
    checkpoint_dir="saved", save_checkpoint_steps=100, hooks=hooks
) as session:
    at = 0
    while not session.should_stop():
        session.run(train, {x: inputs[at : at + 24], y: targets[at : at + 24]})
        at += 24
