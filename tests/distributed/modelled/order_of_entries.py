"""Two entries of a queue in no order, and one is kept. Model: M03"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
hvd.init()
X = np.random.RandomState(hvd.rank()).rand(64, 4).astype("float32")
Y = X.sum(1, keepdims=True)
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [4, 1], use_resource=True)
loss = tf.reduce_mean((tf.matmul(x, w) - y) ** 2)
train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.01 * hvd.size())).minimize(
    loss
)

q = tf.FIFOQueue(2, [tf.float32])
e1 = q.enqueue(1.0)
e2 = q.enqueue(2.0)
d1 = q.dequeue()
c = tf.get_variable("c", [], use_resource=True, trainable=False)
keep = tf.assign(c, d1)  # 1.0 or 2.0: which came first?

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(4):
        sess.run(
            [train, e1, e2, keep, q.dequeue()], {x: X[i * 8 : i * 8 + 8], y: Y[i * 8 : i * 8 + 8]}
        )
