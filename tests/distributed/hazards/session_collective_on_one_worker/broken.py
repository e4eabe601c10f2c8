"""Rank 0 alone averages the loss that it prints, and waits for the others for ever.

Convicted: H02.
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
optimizer = tf.train.AdamOptimizer(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
train = optimizer.minimize(loss)
average = hvd.allreduce(loss)
random = np.random.RandomState(hvd.rank())

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for _ in range(8):
        batch = {x: random.rand(4, 3), y: random.rand(4, 1)}
        session.run(train, batch)
        if hvd.rank() == 0:
            print(session.run(average, batch))
