"""A layer of each worker's own, in front of layers that all workers share. Model: safe"""

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
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    tape = hvd.PartialDistributedGradientTape(tape, local_layers=[own])
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(3):
    step(x, y)
