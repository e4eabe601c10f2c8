"""Obligation: start. Two objects train networks of their own, and their class has one flag."""

import tensorflow as tf


class Trainer:
    def __init__(self, width):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.01)

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x) - y) ** 2)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))


x = tf.random.stateless_normal([64, 4], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True))).batch(8)
trainers = [Trainer(2), Trainer(4)]
for x, y in data:
    for trainer in trainers:
        trainer.step(x, y)
