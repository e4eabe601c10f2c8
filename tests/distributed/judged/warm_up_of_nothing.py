"""A warm-up writes the rate that a schedule sets anew in each step.

Convicted: D302
Says: ExponentialDecay sets the rate in each step
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from problem import batches, network

hvd.init()
rate = tf.keras.optimizers.schedules.ExponentialDecay(0.001 * hvd.size(), 16 // hvd.size(), 0.8)
model = network()
optimizer = tf.keras.optimizers.Adam(rate)
model.compile(hvd.DistributedOptimizer(optimizer), "mse")
warm_up = hvd.callbacks.LearningRateWarmupCallback(
    initial_lr=0.001 * hvd.size(), warmup_epochs=2, steps_per_epoch=8
)
model.fit(
    batches(hvd.rank(), hvd.size()),
    epochs=2,
    verbose=0,
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), warm_up],
)
