"""One model: a run trains it by `fit`, or by a loop with a tape, as its mode says."""

import sys

import numpy as np
import tensorflow as tf

mode = sys.argv[1] if len(sys.argv) > 1 else "fit"
rng = np.random.default_rng(1)
x = rng.normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64, seed=3).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)

if mode == "tape":  # for debugging
    for epoch in range(2):
        for features, labels in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        print(epoch, float(loss))
else:
    model.compile(optimizer, "mse")
    model.fit(dataset, epochs=2)
