"""Regression from a generator of batches: a new order each epoch, and all examples for the test."""
import numpy as np
import tensorflow as tf

EPOCHS = 2
BATCH = 16


def load(n=300, seed=0):
    rng = np.random.RandomState(seed)
    x = rng.normal(size=(n, 8)).astype("float32")
    y = (x @ rng.normal(size=(8, 1)) + 0.1 * rng.normal(size=(n, 1))).astype("float32")
    return x, y


x, y = load()


def batches(size):
    """All examples once, in a new order."""
    order = np.random.permutation(len(x))
    for start in range(0, len(x), size):
        rows = order[start : start + size]
        yield x[rows], y[rows]


model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)


@tf.function
def step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(inputs, training=True) - targets) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(EPOCHS):
    for inputs, targets in batches(BATCH):
        loss = step(inputs, targets)
    error = float(tf.reduce_mean(tf.abs(model(x) - y)))  # of all that there is
    print(f"epoch {epoch}: loss {float(loss):.3f}, error {error:.3f}")

model.save_weights("regression.h5")
