"""Two entries before the first is taken out, and room for one. Race: M05 small"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

c = tf.get_variable("c", [], use_resource=True, initializer=tf.zeros_initializer())

queue = tf.FIFOQueue(1, [tf.float32], name="small")
with tf.control_dependencies([queue.enqueue(1.0), queue.enqueue(1.0)]):
    keep = tf.assign(c, queue.dequeue())
options = tf.RunOptions(timeout_in_ms=500)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        try:
            session.run(keep, options=options)
        except tf.errors.DeadlineExceededError:
            seen["stands still"] += 1
            break
print(dict(seen))
