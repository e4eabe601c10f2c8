"""Obligation: start. Two networks take the same step, and one flag stands for both."""

import tensorflow as tf


def network():
    return tf.keras.Sequential(
        [tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
    )


left, right = network(), network()
left_optimizer, right_optimizer = tf.keras.optimizers.SGD(0.01), tf.keras.optimizers.SGD(0.01)
x = tf.random.stateless_normal([64, 4], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True))).batch(8)


def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in data:
    step(left, left_optimizer, x, y)
    step(right, right_optimizer, x, y)
