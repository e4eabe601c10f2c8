"""What a tf.function touches is ordered by TensorFlow: a read, two writes, a loop. Race: none"""

import collections
import sys

import tensorflow as tf

RUNS = int(sys.argv[1]) if sys.argv[1:] else 2
with tf.init_scope():
    c = tf.Variable(0.0)
    kept = tf.Variable(0.0)


@tf.function
def step():
    kept.assign(c)
    c.assign(5.0)
    for turn in tf.range(3):
        c.assign(c * 2.0 + tf.cast(turn, tf.float32))
    kept.assign_add(c)
    return c.read_value()


seen = collections.Counter()
for _ in range(RUNS):
    c.assign(1.0)
    step()
    seen[float(kept)] += 1
print(dict(seen))
