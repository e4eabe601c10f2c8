"""A graph in two towers, the second one on a GPU that no worker has: each sees one, its own.

Repair: A21.
"""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = np.random.RandomState(1).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
features = tf.placeholder(tf.float32, [None, 4])
targets = tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [4, 1], initializer=tf.ones_initializer())
losses = []
for number in range(2):
    with tf.device(f"/gpu:{number}"):
        errors = tf.matmul(features[number::2], weights) - 2 * targets[number::2]
        losses.append(tf.reduce_mean(tf.square(errors)))
optimizer = tf.train.GradientDescentOptimizer(0.05)
train = optimizer.minimize((losses[0] + losses[1]) / 2)

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
    session.run(tf.global_variables_initializer())
    for _epoch in range(2):
        for start in range(0, len(x), 8):
            batch = {features: x[start : start + 8], targets: y[start : start + 8]}
            session.run(train, feed_dict=batch)
