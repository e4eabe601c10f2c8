"""A critic whose weights are clipped in the run of its step. Race: M03 w

The form is that of public Wasserstein GANs: `sess.run([D_solver, D_loss, clip_D])`.
"""

import collections
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

x = tf.placeholder(tf.float32, [None, 64])
w = tf.get_variable("w", [64, 1])
score = tf.reduce_mean(tf.matmul(x, w))
solver = tf.train.RMSPropOptimizer(0.01).minimize(-score, var_list=[w])
clip = [tf.assign(each, tf.clip_by_value(each, -0.01, 0.01)) for each in [w]]

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run([solver, score, clip], {x: np.random.rand(32, 64)})
        seen[bool(np.abs(session.run(w)).max() <= 0.01)] += 1
print(dict(seen))
