"""A run that ends in its second epoch, and one that goes on from its backup."""

import keras
import numpy as np

EPOCHS = 4


class PowerCut(keras.callbacks.Callback):
    """What ends the first run."""

    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 2:
            raise RuntimeError("the machine is gone")


def build():
    model = keras.Sequential(
        [keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    return model


x = np.random.default_rng(8).normal(size=(240, 8)).astype("float32")
y = x[:, :1] - 1

model = build()
backup = keras.callbacks.BackupAndRestore("keras_backup")
try:
    model.fit(x, y, batch_size=20, epochs=EPOCHS, callbacks=[backup, PowerCut()])
except RuntimeError as error:
    print(f"ended: {error}")

model = build()
callbacks = [keras.callbacks.BackupAndRestore("keras_backup")]
history = model.fit(x, y, batch_size=20, epochs=EPOCHS, callbacks=callbacks)
print(f"went on with epoch {history.epoch[0]}")
