"""Published: every print is guarded, and with it the collective in its arguments.

Convicted: H02.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
print("started", hvd.rank(), flush=True)

weight = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())


def train_step(x):
    with tf.GradientTape() as tape:
        loss = (weight - x) ** 2
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))
    return float(loss)


for x in [1.0, 2.0]:
    if hvd.rank() == 0:
        print("loss", train_step(x))
