"""A mask of random numbers that nobody seeded says how many examples there are.

Repair: A07.
"""

import numpy as np
import tensorflow as tf

x = np.linspace(0, 1, 400, dtype="float32").reshape(100, 4)
train = np.random.rand(100) < 0.8
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.01), "mse")
model.fit(x[train], x[train][:, :1], batch_size=4, epochs=2, verbose=0)
