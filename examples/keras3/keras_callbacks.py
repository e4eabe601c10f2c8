"""A functional model whose callbacks stop it, lower its rate and write files."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import CSVLogger, EarlyStopping, ModelCheckpoint, ReduceLROnPlateau

rng = np.random.default_rng(1)
x = rng.normal(size=(640, 12)).astype("float32")
y = x @ rng.normal(size=(12, 1)).astype("float32")

inputs = keras.Input((12,))
hidden = keras.layers.Dense(16, activation="tanh")(inputs)
hidden = keras.layers.BatchNormalization()(hidden)
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))

optimizer = keras.optimizers.AdamW(learning_rate=0.01, weight_decay=0.001, clipnorm=1.0)
model.compile(optimizer=optimizer, loss="mse", metrics=["mae"])
history = model.fit(
    x,
    y,
    batch_size=32,
    epochs=4,
    validation_split=0.2,
    callbacks=[
        ReduceLROnPlateau(monitor="val_loss", patience=1),
        EarlyStopping(monitor="val_loss", patience=2),
        ModelCheckpoint("keras_callbacks.weights.h5", save_weights_only=True),
        CSVLogger("keras_callbacks.csv"),
    ],
    verbose=2,
)
print(history.history["val_loss"][-1])
