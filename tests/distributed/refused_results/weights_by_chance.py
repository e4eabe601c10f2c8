"""Obligation: update. Each worker makes its weights smaller by its own chance."""

import random

import numpy as np
import tensorflow as tf


class Own(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if random.random() < 0.5:
            for w in self.model.trainable_weights:
                w.assign(w * 0.5)


x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.01), loss="mse")

model.fit(x, y, batch_size=8, epochs=12, callbacks=[Own()])
