"""Both branches of a condition write, one of them runs. Race: none"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

c = tf.get_variable("c", [], use_resource=True, initializer=tf.zeros_initializer())

flag = tf.placeholder_with_default(True, [])
one = tf.cond(flag, lambda: tf.assign(c, 1.0), lambda: tf.assign(c, 2.0))

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(one, {flag: bool(_ % 2)})
        seen[float(session.run(c))] += 1
print(dict(seen))
