"""Published: the rate is multiplied, but a list times two is the list twice.

Convicted: D104.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

schedule = tf.keras.optimizers.schedules.PiecewiseConstantDecay([5], [0.1, 0.01] * hvd.size())
