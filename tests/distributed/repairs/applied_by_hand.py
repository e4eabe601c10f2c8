"""Gradients that the program subtracts from its variables by itself.

Repair: A05.
"""

import tensorflow as tf

RATE = 0.05
x = tf.random.stateless_normal((64, 4), seed=(1, 2))
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


@tf.function
def train_step(images, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - targets) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    for gradient, variable in zip(gradients, model.trainable_variables):
        variable.assign_sub(RATE * gradient)
    return loss


for images, targets in data:
    train_step(images, targets)
