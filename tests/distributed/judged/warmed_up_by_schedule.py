"""A schedule begins with the rate of one process, grows to that of all, and falls again.

Sound
Says: it grows to
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

EPOCHS = 6
data = batches(hvd.rank(), hvd.size())
STEPS = EPOCHS * len(data)


class WarmUp(tf.keras.optimizers.schedules.LearningRateSchedule):
    """Over the first tenth of the steps."""

    def __call__(self, step):
        done = tf.cast(step, tf.float32) / STEPS
        grown = 1.0 + (hvd.size() - 1.0) * tf.minimum(done / 0.1, 1.0)
        return 0.01 * grown * (1.0 - 0.9 * done)


optimizer = tf.keras.optimizers.SGD(WarmUp())
model = network()
hvd.broadcast_variables(model.variables, root_rank=0)
for _ in range(EPOCHS):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = error(model, x, y)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
