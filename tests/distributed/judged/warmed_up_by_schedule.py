"""A schedule begins with the rate of one process, grows to that of all, and falls again.

Sound
Says: it grows to
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

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

    def get_config(self):
        return {}


model = network()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(WarmUp())), "mse")
start = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(data, epochs=EPOCHS, verbose=0, callbacks=start)
