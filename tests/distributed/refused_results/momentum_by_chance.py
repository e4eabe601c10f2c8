"""Obligation: update. Each worker draws the momentum of its optimizer."""

import random

import numpy as np
import tensorflow as tf


class Own(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.optimizer.momentum = 0.5 + 0.4 * random.random()


x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.legacy.SGD(0.01, momentum=0.9), loss="mse")

model.fit(x, y, batch_size=8, epochs=3, callbacks=[Own()])
