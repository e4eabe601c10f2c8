"""The loop: it is given a model and data, and knows neither."""

import tensorflow as tf


class Trainer:
    def __init__(self, model, data, rate=0.05):
        self.model = model
        self.data = data
        self.optimizer = tf.keras.optimizers.SGD(rate)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def train(self, epochs):
        for epoch in range(epochs):
            for x, y in self.data:
                loss = self.step(x, y)
            print(f"epoch {epoch}: {float(loss):.4f}")
        self.model.save_weights("trainer.weights.h5")
