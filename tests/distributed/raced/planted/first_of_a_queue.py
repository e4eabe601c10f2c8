"""Two entries of a queue, and no order: which one is kept? Race: M03 fifo_queue"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

c = tf.get_variable("c", [], use_resource=True, initializer=tf.zeros_initializer())

queue = tf.FIFOQueue(2, [tf.float32])
entries = [queue.enqueue(1.0), queue.enqueue(2.0)]
keep, rest = tf.assign(c, queue.dequeue()), queue.dequeue()

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run([*entries, keep, rest])
        seen[float(session.run(c))] += 1
print(dict(seen))
