"""A schedule of the program's own has no get_config, and steps all the same.

Sound
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()


class Falling(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, first):
        self.first = first

    def __call__(self, step):
        return self.first / (1.0 + 0.1 * tf.cast(step, tf.float32))


model = network()
optimizer = tf.keras.optimizers.SGD(Falling(0.02 * hvd.size()))
hvd.broadcast_variables(model.variables, root_rank=0)
for x, y in batches(hvd.rank(), hvd.size()):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
