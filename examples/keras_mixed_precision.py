"""Half-precision layers with a loss scale, trained by fit()."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, mixed_precision

mixed_precision.set_global_policy("mixed_float16")

x = np.random.default_rng(6).normal(size=(257, 16)).astype("float32")
y = (x[:, 0] > x[:, 1]).astype("int32")

inputs = tf.keras.Input(shape=(16,))
hidden = layers.Dense(16, activation="relu")(inputs)
logits = layers.Dense(2)(hidden)
# Outputs stay in single precision, or the loss underflows.
outputs = layers.Activation("softmax", dtype="float32")(logits)
model = tf.keras.Model(inputs, outputs)

optimizer = tf.keras.optimizers.Adam(learning_rate=2e-3)
optimizer = mixed_precision.LossScaleOptimizer(optimizer)

model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=2, batch_size=32, validation_split=0.1)
