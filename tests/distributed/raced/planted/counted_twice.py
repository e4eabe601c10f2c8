"""The step is counted by the optimizer and by hand, beside each other. Race: M03 step"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

w = tf.get_variable("w", [4], initializer=tf.ones_initializer())
step = tf.get_variable("step", [], tf.int64, tf.zeros_initializer(), trainable=False)
optimizer = tf.train.GradientDescentOptimizer(0.1)
train = optimizer.minimize(tf.reduce_sum(w * w), global_step=step)
count = tf.assign(step, step + 1)

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(step.initializer)
        session.run([train, count.op])
        seen[int(session.run(step))] += 1
print(dict(seen))
