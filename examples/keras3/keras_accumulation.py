"""Gradients of four batches make one step, and the weights' moving average is kept."""

import keras
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
x = rng.normal(size=(512, 8)).astype("float32")
y = x[:, :1]
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(512).batch(16)

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.01, gradient_accumulation_steps=4, use_ema=True)
model.compile(optimizer, loss="mse", steps_per_execution=2)
model.fit(dataset, epochs=2)
