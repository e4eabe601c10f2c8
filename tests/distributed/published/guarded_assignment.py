"""Published: the whole assignment is guarded, so the name is unbound on the other workers.

Convicted: D203.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

weight = tf.Variable(tf.random.normal([2]))
checkpoint = tf.train.Checkpoint(weight=weight)
if hvd.rank() == 0:
    path = checkpoint.save("guarded_assignment/ckpt")
saved = path is not None
