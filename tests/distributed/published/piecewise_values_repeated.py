"""Published: the rate is multiplied, but a list times two is the list twice."""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

schedule = tf.keras.optimizers.schedules.PiecewiseConstantDecay([5], [0.1, 0.01] * hvd.size())
rate = float(schedule(0))
