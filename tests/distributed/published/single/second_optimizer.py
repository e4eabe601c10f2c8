"""Two trainings, one after another, by one step."""

import tensorflow as tf


def train_step(model, optimizer):
    x = tf.random.normal([4, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for rate in (0.1, 0.2):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    optimizer = tf.keras.optimizers.SGD(rate)
    for _ in range(2):
        train_step(model, optimizer)
