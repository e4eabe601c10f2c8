"""A queue of one token is a mutex: who takes it out may write. Race: none"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

c = tf.get_variable("c", [], use_resource=True, initializer=tf.zeros_initializer())

queue = tf.FIFOQueue(1, [tf.float32])
fill = queue.enqueue(0.0)


def add(amount):
    token = queue.dequeue()
    with tf.control_dependencies([token]):
        up = tf.assign(c, c.read_value() + amount)
    with tf.control_dependencies([up]):
        return queue.enqueue(token)


one, two = add(5.0), add(3.0)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(c.initializer)
        if not seen:
            session.run(fill)
        session.run([one, two])
        seen[float(session.run(c))] += 1
print(dict(seen))
