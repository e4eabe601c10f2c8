"""Published: every rate is scaled, of schedules and of the optimizers they are given to.

Convicted: D104.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

weight = tf.Variable(tf.random.normal([3]))
schedule = tf.keras.optimizers.schedules.ExponentialDecay(
    0.1 * hvd.size(), decay_steps=10, decay_rate=0.5
)
optimizer = tf.keras.optimizers.SGD(learning_rate=schedule * hvd.size())
