"""Published: the tape and the optimizer are wrapped, so every gradient is averaged twice.

Convicted: D105.
"""

import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras
import tensorflow as tf

hvd.init()

weight = tf.Variable(tf.random.normal([3]))
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
optimizer = hvd_keras.DistributedOptimizer(optimizer)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((weight * x) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    optimizer.minimize(loss, [weight], tape=tape)


for _ in range(3):
    train_step(tf.ones([3]))
