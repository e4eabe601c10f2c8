"""Published: the call stays as it is, but a wrapped tape iterates over its sources.

Convicted: D201.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

weight = tf.Variable(tf.random.normal([2]))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weight**2)
tape = hvd.DistributedGradientTape(tape)
gradient = tape.gradient(loss, weight)
