"""Each worker feeds a share of its own."""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()
random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]

inputs = tf.placeholder(tf.float32, [None, 3])
targets = tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((inputs @ weights - targets) ** 2)
optimizer = tf.train.GradientDescentOptimizer(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
train = optimizer.minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for start in range(0, len(x), 8):
        batch = slice(start, start + 8)
        session.run(train, {inputs: x[batch], targets: y[batch]})
