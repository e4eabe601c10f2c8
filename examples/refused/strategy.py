"""Several GPUs by tf.distribute, a step that XLA compiles, a learning rate drawn by chance."""

import random

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
rng = np.random.default_rng(1)
x = rng.normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)

with strategy.scope():
    # One copy on each GPU.
    model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(learning_rate=random.choice([0.01, 0.02]))
    model.compile(optimizer=optimizer, loss="mse", jit_compile=True)
model.fit(x, y, batch_size=4 * strategy.num_replicas_in_sync, epochs=2)
