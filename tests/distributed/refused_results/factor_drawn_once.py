"""Obligation: update. A factor by which weights are damped is drawn once, by each worker."""

import numpy as np
import tensorflow as tf


class Damp(tf.keras.callbacks.Callback):
    factor = tf.Variable(tf.random.uniform((), 0.5, 1.0))

    def on_epoch_end(self, epoch, logs=None):
        for w in self.model.trainable_weights:
            w.assign(w * self.factor)


x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.01), loss="mse")
model.fit(x, y, batch_size=8, epochs=3, callbacks=[Damp()])
