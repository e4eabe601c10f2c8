"""Published: every worker runs over all the data, so an epoch takes as long as before.

Convicted: D107.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

weight = tf.Variable(tf.random.normal([1]))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
broadcast_done = False
dataset = tf.data.Dataset.range(11).batch(2)
for batch in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((weight - tf.cast(batch, tf.float32)) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))
    if not broadcast_done:
        hvd.broadcast_variables([weight], root_rank=0)
        broadcast_done = True
