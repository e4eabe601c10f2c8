"""A reference variable is read where it is used, beside its step. Model: M03"""

import collections

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()
w = tf.get_variable("w", [200000], initializer=tf.ones_initializer())
train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(1.0 * hvd.size())).minimize(
    tf.reduce_sum(w * 1.0)
)
p = tf.get_variable("p", [200000], trainable=False, initializer=tf.zeros_initializer())
save = tf.assign(p, w * 1.0)
seen = collections.Counter()
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(hvd.broadcast_global_variables(0))
    for _i in range(60):
        before = s.run(w)
        s.run([train, save.op])
        got, after = s.run([p, w])
        seen[
            "old"
            if np.array_equal(got, before)
            else "new"
            if np.array_equal(got, after)
            else "mixture"
        ] += 1
print(hvd.rank(), dict(seen))
