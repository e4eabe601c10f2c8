"""Handed one variable, it makes another, and assigns both without reading them. Race: none"""

import collections
import sys

import tensorflow as tf

RUNS = int(sys.argv[1]) if sys.argv[1:] else 2
given = tf.Variable([1.0, 2.0])
made = []


@tf.function
def fill(variable, value):
    if not made:
        made.append(tf.Variable(tf.zeros(2)))
    variable.assign(value)
    made[0].assign(2 * value)


seen = collections.Counter()
for _ in range(RUNS):
    fill(given, tf.constant([3.0, 4.0]))
    seen[str((given.numpy().tolist(), made[0].numpy().tolist()))] += 1
print(dict(seen))
