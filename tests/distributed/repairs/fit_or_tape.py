"""One model and one optimizer, for `fit` and then for a tape: one of them is kept.

Repair: A11. Or: A12.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
x = rng.normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64, seed=3).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


def with_fit():
    model.compile(optimizer, "mse")
    model.fit(x, y, batch_size=8, epochs=2)


@tf.function
def step(features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def with_tape():
    for epoch in range(2):
        for features, labels in dataset:
            loss = step(features, labels)
        print(epoch, float(loss))


def main():
    with_fit()
    with_tape()
    model.save_weights("model.weights.h5")


main()
