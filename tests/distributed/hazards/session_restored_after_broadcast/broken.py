"""Rank 0 restores its checkpoint after the broadcast: the others never hear of it.

Convicted: D402.
"""

import os

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights - y) ** 2)
optimizer = tf.train.AdamOptimizer(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
train = optimizer.minimize(loss)
random = np.random.RandomState(hvd.rank())

saver = tf.train.Saver()
path = "restored/model"
if hvd.rank() == 0 and not os.path.exists("restored"):
    with tf.Session() as earlier:
        earlier.run(tf.global_variables_initializer())
        saver.save(earlier, path)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    if hvd.rank() == 0:
        saver.restore(session, path)
    for _ in range(8):
        session.run(train, {x: random.rand(4, 3), y: random.rand(4, 1)})
