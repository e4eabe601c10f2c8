"""A local layer, and a gradient of a shared one that nobody averages. Model: M01"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(hvd.rank())
own = tf.keras.layers.Dense(3)
shared = tf.keras.layers.Dense(1)
model = tf.keras.Sequential([own, shared])
model.build([None, 4])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size(), momentum=0.9)
hvd.broadcast_variables(model.variables, root_rank=0)
x, y = random.rand(8, 4).astype("float32"), random.rand(8, 1).astype("float32")


@tf.function
def step(x, y):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    *averaged, bias = model.trainable_variables
    (left_out,) = tape.gradient(loss, [bias])
    tape = hvd.PartialDistributedGradientTape(tape, local_layers=[own])
    gradients = [*tape.gradient(loss, averaged), left_out]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(3):
    step(x, y)
