"""fit() with a training step of our own: the loss is scaled by a trainable temperature."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class TemperatureModel(keras.Model):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.hidden = keras.layers.Dense(units, activation="relu")
        self.logits = keras.layers.Dense(3)
        self.temperature = tf.Variable(1.0, name="temperature")
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def call(self, inputs, training=False):
        return self.logits(self.hidden(inputs)) / tf.nn.softplus(self.temperature)

    @property
    def metrics(self):
        return [self.loss_tracker]

    def train_step(self, data):
        x, y = data

        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)  # Forward pass
            loss = self.compiled_loss(y, y_pred, regularization_losses=self.losses)

        # Compute gradients
        trainable_vars = self.trainable_variables
        gradients = tape.gradient(loss, trainable_vars)
        # Update weights
        self.optimizer.apply_gradients(zip(gradients, trainable_vars))

        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


x = np.random.default_rng(4).normal(size=(451, 10)).astype("float32")
y = x[:, :3].argmax(axis=1)

model = TemperatureModel(16)
model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=3e-3),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
model.fit(x, y, epochs=2, batch_size=30)
