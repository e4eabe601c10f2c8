"""The same, one run behind the other. Race: none"""

import collections
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

x = tf.placeholder(tf.float32, [None, 16])
online = tf.get_variable("online", [16, 4])
target = tf.get_variable("target", [16, 4], trainable=False)
wanted = tf.reduce_max(tf.matmul(x, target), axis=1, keepdims=True)
loss = tf.reduce_mean((tf.matmul(x, online) - tf.stop_gradient(wanted)) ** 2)
train = tf.train.AdamOptimizer(0.01).minimize(loss, var_list=[online])
copy = tf.assign(target, online)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(train, {x: np.random.rand(8, 16)})
        session.run(copy.op)
        seen["steps"] += 1
print(dict(seen))
