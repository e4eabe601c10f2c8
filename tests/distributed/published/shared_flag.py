"""Published: one flag for all optimizers, so only the first model is broadcast.

Convicted: D202.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

broadcast_done = False
first = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
second = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
first_optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
second_optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())

for _ in range(2):
    x = tf.random.normal([4, 2])
    with tf.GradientTape() as first_tape, tf.GradientTape() as second_tape:
        first_loss = tf.reduce_mean(first(x) ** 2)
        second_loss = tf.reduce_mean(second(x) ** 2)
    first_tape = hvd.DistributedGradientTape(first_tape)
    second_tape = hvd.DistributedGradientTape(second_tape)
    first_gradients = first_tape.gradient(first_loss, first.trainable_variables)
    second_gradients = second_tape.gradient(second_loss, second.trainable_variables)
    first_optimizer.apply_gradients(zip(first_gradients, first.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(first.variables, root_rank=0)
        hvd.broadcast_variables(first_optimizer.variables(), root_rank=0)
        broadcast_done = True
    second_optimizer.apply_gradients(zip(second_gradients, second.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(second.variables, root_rank=0)
        hvd.broadcast_variables(second_optimizer.variables(), root_rank=0)
        broadcast_done = True
