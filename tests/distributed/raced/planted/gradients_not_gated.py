"""GATE_NONE, "the maximum parallelism … at the cost of some non-reproducibility". Race: M03 second

The form is that of the documentation of `tf.train.Optimizer`: a gradient with respect to the values
of a layer reads its weights, which the step of those weights changes meanwhile.
"""

import collections
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

x = tf.placeholder(tf.float32, [None, 64])
y = tf.placeholder(tf.float32, [None, 1])

first = tf.get_variable("first", [64, 512], initializer=tf.constant_initializer(0.01))
second = tf.get_variable("second", [512, 512], initializer=tf.constant_initializer(0.01))
third = tf.get_variable("third", [512, 1], initializer=tf.constant_initializer(0.01))
hidden = tf.nn.relu(tf.matmul(tf.nn.relu(tf.matmul(x, first)), second))
loss = tf.reduce_mean((tf.matmul(hidden, third) - y) ** 2)
random = np.random.RandomState(0)
batch = {x: random.rand(256, 64), y: random.rand(256, 1)}

optimizer = tf.train.GradientDescentOptimizer(0.1)
train = optimizer.minimize(loss, gate_gradients=tf.train.Optimizer.GATE_NONE)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(tf.global_variables_initializer(), batch)
        session.run(train, batch)
        seen[round(float(np.abs(session.run(first)).sum()), 3)] += 1
print(dict(seen))
