"""Callbacks are chosen by name, so nobody can tell which they are before the program runs."""

import sys

import numpy as np
import tensorflow as tf

REGISTRY = {
    "stop": lambda: tf.keras.callbacks.EarlyStopping(monitor="loss", patience=2),
    "log": lambda: tf.keras.callbacks.CSVLogger("registry.csv"),
    "save": lambda: tf.keras.callbacks.ModelCheckpoint("registry.keras"),
    "nan": lambda: tf.keras.callbacks.TerminateOnNaN(),
}


def train(model, x, y, callbacks=None):
    return model.fit(x, y, epochs=2, batch_size=20, verbose=0, callbacks=callbacks)


rng = np.random.default_rng(11)
x = rng.normal(size=(300, 12)).astype("float32")
y = x[:, :1] - x[:, 1:2]

model = tf.keras.Sequential()
model.add(tf.keras.layers.InputLayer(input_shape=(12,)))
model.add(tf.keras.layers.Dense(6, activation="elu"))
model.add(tf.keras.layers.Dense(1))

optimizer = tf.keras.optimizers.RMSprop()
model.compile(optimizer=optimizer, loss="mae")

names = sys.argv[1:] or ["stop", "log", "save"]
history = train(model, x, y, callbacks=[REGISTRY[name]() for name in names])
print(history.history["loss"])
