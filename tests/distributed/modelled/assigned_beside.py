"""Two assignments of one run, and nothing orders them. Model: M03"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()
random = np.random.RandomState(hvd.rank())
x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights - y) ** 2)
train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.01 * hvd.size())).minimize(
    loss
)
clip = tf.assign(weights, tf.clip_by_value(weights, -1.0, 1.0))
start = hvd.broadcast_global_variables(0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(start)
    for _ in range(3):
        session.run([train, clip], {x: random.rand(4, 3), y: random.rand(4, 1)})
