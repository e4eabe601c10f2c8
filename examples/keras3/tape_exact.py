"""Plain SGD in a trainer class, in the order of the data: two workers reproduce one process."""

import keras
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = keras.optimizers.SGD(rate)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def train(self, dataset, epochs):
        for epoch in range(epochs):
            for x, y in dataset:
                loss = self.step(x, y)
            print(epoch, float(loss))


keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
x = rng.normal(size=(480, 8)).astype("float32")
y = np.tanh(x[:, :1])
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(8, "tanh"), keras.layers.Dense(1)])
Trainer(model, 0.05).train(dataset, 2)
