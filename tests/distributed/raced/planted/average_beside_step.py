"""A moving average of the weights that does not wait for the step. Race: M03 w

The form is one of public programs: `sess.run([train_op, ema.apply(tf.trainable_variables())])`.
"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

w = tf.get_variable("w", [1000], initializer=tf.ones_initializer())
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
average = tf.train.ExponentialMovingAverage(0.9)
keep = average.apply([w])

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(w.initializer)
        session.run(average.average(w).initializer)
        session.run([train, keep])
        seen[round(float(session.run(average.average(w))[0]), 2)] += 1
print(dict(seen))
