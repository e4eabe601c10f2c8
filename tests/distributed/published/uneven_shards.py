"""Published (in many a guide): shard() alone, so one worker takes a step more than the others.

Convicted: D107.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
print("started", hvd.rank(), flush=True)

weight = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
for x in tf.data.Dataset.range(9).shard(hvd.size(), hvd.rank()):
    with tf.GradientTape() as tape:
        loss = (weight - tf.cast(x, tf.float32)) ** 2
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))
