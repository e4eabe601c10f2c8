"""An epoch in one function: as many averages as the worker has batches. Model: M02"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(hvd.rank())
weights = tf.Variable(tf.ones([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
x, y = random.rand(64, 4).astype("float32"), random.rand(64, 1).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)


@tf.function
def epoch(data):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ weights - y) ** 2)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, [weights])
        optimizer.apply_gradients(zip(gradients, [weights]))


for _ in range(2):
    epoch(data)
