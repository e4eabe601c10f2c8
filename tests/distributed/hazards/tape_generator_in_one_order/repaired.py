"""Each worker takes every so many of the batches that a generator gives."""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())


def batches(size):
    for i in range(hvd.rank() * size, len(x), hvd.size() * size):
        yield x[i : i + size], y[i : i + size]


first_batch = True
for _ in range(2):
    for inputs, targets in batches(8):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs) - targets))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if first_batch:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables, root_rank=0)
            first_batch = False
