"""Two runs in one: the second goes on with the model and optimizer that the first has saved."""

import os

import keras
import numpy as np

PATH = "keras_resuming.keras"

rng = np.random.default_rng(11)
x = rng.normal(size=(256, 8)).astype("float32")
y = x[:, :1] * 2

for run in range(2):
    if run and os.path.exists(PATH):
        model = keras.models.load_model(PATH)
    else:
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
        model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    model.fit(x, y, batch_size=16, epochs=run + 1, initial_epoch=run)
    model.save(PATH)
