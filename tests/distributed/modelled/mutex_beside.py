"""Two additions by reading and writing, in the sections of one mutex. Model: safe"""

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

c = tf.get_variable("c", [], use_resource=True, trainable=False, initializer=tf.zeros_initializer())
cs = tf.CriticalSection(name="lock")


def add(v):
    def body():
        with tf.control_dependencies([tf.assign(c, c.read_value() + v)]):
            return tf.constant(0.0)

    return body


a1 = cs.execute(add(5.0))
a2 = cs.execute(add(3.0))  # the seed: a mutex orders them; 8.0 always

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(4):
        sess.run([train, a1, a2], {x: X[i * 8 : i * 8 + 8], y: Y[i * 8 : i * 8 + 8]})
