"""Published: the call stays as it is, but a wrapped tape has fewer parameters.

Convicted: D201.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

used, unused = tf.Variable(tf.random.normal([2])), tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(used**2)
tape = hvd.DistributedGradientTape(tape)
gradients = tape.gradient(loss, [used, unused], unconnected_gradients=tf.UnconnectedGradients.ZERO)
