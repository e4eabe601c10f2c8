"""Everything a long run wants: stop early, slow down, keep the best model, draw the curves."""
import numpy as np
import tensorflow.keras as K
from tensorflow.keras.callbacks import (
    EarlyStopping,
    ModelCheckpoint,
    ReduceLROnPlateau,
    TensorBoard,
)
from tensorflow.keras.optimizers import Adam as AdamOptimizer


def spirals(n, seed):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 6, n)
    label = rng.integers(0, 2, n)
    points = np.stack([np.cos(angle + 3 * label), np.sin(angle + 3 * label)], axis=1) * angle[:, None]
    return points.astype("float32"), label.astype("float32")


x_train, y_train = spirals(1001, seed=0)
x_val, y_val = spirals(301, seed=1)

model = K.Sequential([K.layers.Dense(24, "relu"), K.layers.Dense(24, "relu"), K.layers.Dense(1, "sigmoid")])
model.compile(optimizer=AdamOptimizer(0.01), loss="binary_crossentropy", metrics=["accuracy"])

model.fit(
    x_train, y_train,
    validation_data=(x_val, y_val),
    batch_size=64,
    epochs=4,
    callbacks=[
        EarlyStopping(monitor="val_loss", patience=1, min_delta=0.5, restore_best_weights=True),
        ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=0, min_delta=0.5),
        ModelCheckpoint("spirals.weights.h5", save_best_only=True, save_weights_only=True),
        TensorBoard("logs"),
    ],
)
