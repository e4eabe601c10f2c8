"""A variable that an optimizer of TensorFlow 1 keeps local. Model: safe"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
hvd.init()
random = np.random.RandomState(hvd.rank())
x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
shared = tf.get_variable("shared", [4, 1])
own = tf.get_variable("own", [1])
loss = tf.reduce_mean((tf.matmul(x, shared) * own - y) ** 2)
plain = tf.train.MomentumOptimizer(0.01 * hvd.size(), 0.9)
# Horovod 0.28.1 fails where it scales local gradients of a graph of TensorFlow 1.
optimizer = hvd.DistributedOptimizer(plain, scale_local_gradients=False)
optimizer.register_local_var(own)
train = optimizer.minimize(loss)
start = hvd.broadcast_global_variables(0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(start)
    for _ in range(3):
        feeds = {x: random.rand(8, 4), y: random.rand(8, 1)}
        session.run(train, feeds)
