"""Two mutexes, taken in the one order and in the other. Race: M05 a"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2


a, b = tf.CriticalSection(name="a"), tf.CriticalSection(name="b")


def within(outer, inner):
    def body():
        return inner.execute(lambda: tf.constant(1.0) + 0.0)

    return outer.execute(body)


one, two = within(a, b), within(b, a)

options = tf.RunOptions(timeout_in_ms=500)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        try:
            session.run([one, two], options=options)
            seen["both"] += 1
        except tf.errors.DeadlineExceededError:
            seen["stands still"] += 1
            break
print(dict(seen))
