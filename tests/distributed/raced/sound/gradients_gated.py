"""The same network as TensorFlow gates it by itself, with Adam and a falling rate. Race: none"""

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

step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.01, step, 10, 0.9)
train = tf.train.AdamOptimizer(rate).minimize(loss, global_step=step)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(tf.global_variables_initializer(), batch)
        session.run(train, batch)
        seen[round(float(np.abs(session.run(first)).sum()), 3)] += 1
print(dict(seen))
