"""A session of plain TensorFlow 1 under TensorFlow 2.

Repair: A18.
"""

import numpy as np
import tensorflow as tf

data = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.random_normal([4, 1]))
b = tf.Variable(0.0)
loss = tf.reduce_mean((tf.matmul(x, w) + b - x[:, :1]) ** 2)
optimizer = tf.train.GradientDescentOptimizer(0.05)
grads = tf.gradients(loss, [w, b])
grads, _ = tf.clip_by_global_norm(grads, 1.0)
train = optimizer.apply_gradients(zip(grads, [w, b]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for start in range(0, len(data), 4):
        sess.run(train, {x: data[start : start + 4]})
