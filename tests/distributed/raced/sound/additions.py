"""Figure 3 of the paper: two additions commute. Race: none"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

c = tf.get_variable("c", [], use_resource=True, initializer=tf.zeros_initializer())

one, two = tf.assign_add(c, 5.0), tf.assign_add(c, 3.0)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(c.initializer)
        session.run([one, two])
        seen[float(session.run(c))] += 1
print(dict(seen))
