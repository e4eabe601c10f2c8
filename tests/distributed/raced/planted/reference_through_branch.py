"""Switch, Identity and Reshape hand the variable's own memory on. Race: M03 w"""

import collections
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

w = tf.get_variable("w", [200000], initializer=tf.ones_initializer())
p = tf.get_variable("p", [200000], trainable=False, initializer=tf.zeros_initializer())
train = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(w * 1.0))

flag = tf.placeholder_with_default(True, [])
value = tf.cond(flag, lambda: tf.identity(w), lambda: tf.zeros([200000]))
save = tf.assign(p, tf.reshape(tf.stop_gradient(value), [-1]) * 1.0)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        before = session.run(w).copy()
        session.run([train, save.op])
        got, after = session.run([p, w])
        old, new = np.array_equal(got, before), np.array_equal(got, after)
        seen["old" if old else "new" if new else "mixture"] += 1
print(dict(seen))
