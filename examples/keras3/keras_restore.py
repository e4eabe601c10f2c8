"""A model that a function makes, or takes from the newest file of an earlier run."""

import os

import keras
import numpy as np

x = np.random.default_rng(0).normal(size=(300, 8)).astype("float32")
y = x[:, :1]
folder = "keras_restore"
os.makedirs(folder, exist_ok=True)


def make_or_restore():
    files = [os.path.join(folder, name) for name in os.listdir(folder)]
    if files:
        return keras.models.load_model(max(files, key=os.path.getctime))
    inputs = keras.Input((8,))
    hidden = keras.layers.Dense(16, activation="relu")(inputs)
    model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
    model.compile(optimizer="rmsprop", loss="mse", metrics=["mae"])
    return model


model = make_or_restore()
model.fit(
    x,
    y,
    batch_size=25,
    epochs=2,
    callbacks=[keras.callbacks.ModelCheckpoint(os.path.join(folder, "model.keras"))],
)
