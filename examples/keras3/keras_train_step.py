"""A model with a training step of its own, which clips gradients by their global norm."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Clipped(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = keras.layers.Dense(units, activation="relu")
        self.out = keras.layers.Dense(1)
        self.seen = keras.metrics.Mean(name="loss")

    def call(self, inputs, training=False):
        return self.out(self.hidden(inputs))

    @property
    def metrics(self):
        return [self.seen]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.seen.update_state(loss)
        return {"loss": self.seen.result()}


rng = np.random.default_rng(3)
x = rng.normal(size=(450, 10)).astype("float32")
y = x[:, :1] - x[:, 1:2]

model = Clipped(16)
model.compile(optimizer=keras.optimizers.Adam(learning_rate=3e-3), loss="mse")
model.fit(x, y, epochs=2, batch_size=30)
