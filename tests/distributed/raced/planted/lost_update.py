"""Two additions, each by reading and writing: one of them can be lost. Race: M03 c"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

c = tf.get_variable("c", [], use_resource=True, initializer=tf.zeros_initializer())


def add(amount):
    return tf.assign(c, c.read_value() + amount)


one, two = add(5.0), add(3.0)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(c.initializer)
        session.run([one, two])
        seen[float(session.run(c))] += 1
print(dict(seen))
