"""The same two as in lost_update, each in the critical section of one mutex. Race: none"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

c = tf.get_variable("c", [], use_resource=True, initializer=tf.zeros_initializer())

lock = tf.CriticalSection(name="lock")


def add(amount):
    def body():
        with tf.control_dependencies([tf.assign(c, c.read_value() + amount)]):
            return tf.constant(0.0)

    return lock.execute(body)


one, two = add(5.0), add(3.0)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(c.initializer)
        session.run([one, two])
        seen[float(session.run(c))] += 1
print(dict(seen))
