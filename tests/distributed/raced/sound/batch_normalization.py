"""Moving statistics by UPDATE_OPS, before the step, as documented. Race: none"""

import collections
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

x = tf.placeholder(tf.float32, [None, 64])
y = tf.placeholder(tf.float32, [None, 1])

first = tf.get_variable("first", [64, 512])
second = tf.get_variable("second", [512, 512])
third = tf.get_variable("third", [512, 1])
hidden = tf.nn.relu(tf.matmul(tf.nn.relu(tf.matmul(x, first)), second))
loss = tf.reduce_mean((tf.matmul(hidden, third) - y) ** 2)
random = np.random.RandomState(0)
batch = {x: random.rand(256, 64), y: random.rand(256, 1)}

normal = tf.layers.batch_normalization(hidden, training=True)
loss = tf.reduce_mean((tf.matmul(normal, third) - y) ** 2)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(tf.global_variables_initializer(), batch)
        session.run(train, batch)
        seen["steps"] += 1
print(dict(seen))
