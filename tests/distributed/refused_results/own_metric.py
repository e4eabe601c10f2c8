"""Obligation: update. A metric of own draws steers the training, behind the averaging."""

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.01), loss="mse")


class Score(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        fresh = np.random.normal(size=(32, 4)).astype("float32")
        error = model.predict(fresh) - fresh.sum(axis=1, keepdims=True)
        logs["val_score"] = float(np.abs(error).mean())


callbacks = [
    Score(),
    tf.keras.callbacks.ReduceLROnPlateau(monitor="val_score", factor=0.5, patience=1),
    tf.keras.callbacks.EarlyStopping(monitor="val_score", patience=2),
]
model.fit(x, y, batch_size=8, epochs=30, callbacks=callbacks)
