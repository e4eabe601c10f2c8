"""Published: the outermost optimizer is wrapped, which has no base classes to build on.

Convicted: D105.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size()))
optimizer = hvd.DistributedOptimizer(optimizer)
