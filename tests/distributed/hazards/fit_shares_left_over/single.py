"""The program on one process."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = tf.keras.optimizers.SGD(0.01)
model.compile(optimizer, loss="mse")
model.fit(dataset, epochs=2, verbose=0)
