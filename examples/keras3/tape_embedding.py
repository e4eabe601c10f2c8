"""An eager loop over words: sparse gradients, and a variable that no loss reaches."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

words = np.random.default_rng(8).integers(0, 50, size=(240, 6)).astype("int32")
labels = (words.sum(axis=1) % 2).astype("float32")[:, None]
dataset = tf.data.Dataset.from_tensor_slices((words, labels)).batch(24)

model = keras.Sequential(
    [keras.layers.Embedding(50, 8), keras.layers.Flatten(), keras.layers.Dense(1)]
)
unused = keras.Variable(np.zeros(2, "float32"), name="unused")
optimizer = keras.optimizers.Adam(1e-2)
loss_fn = keras.losses.BinaryCrossentropy(from_logits=True)

for epoch in range(2):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(epoch, float(loss))
