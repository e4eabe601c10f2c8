"""Weight decay, clipping and moving averages of the weights, several steps in one execution."""

import keras
import numpy as np
from keras import layers

x = np.random.default_rng(0).normal(size=(640, 8)).astype("float32")
y = x[:, :1] * 2 + 1

model = keras.Sequential([keras.Input((8,)), layers.Dense(16, "relu"), layers.Dense(1)])
optimizer = keras.optimizers.AdamW(
    learning_rate=keras.optimizers.schedules.CosineDecay(1e-2, 60),
    weight_decay=1e-4,
    global_clipnorm=1.0,
    use_ema=True,
    ema_momentum=0.9,
)
model.compile(optimizer=optimizer, loss="mse", metrics=["mae"], steps_per_execution=4)
model.fit(
    x,
    y,
    batch_size=20,
    epochs=2,
    callbacks=[
        keras.callbacks.SwapEMAWeights(swap_on_epoch=True),
        keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs["loss"])),
        keras.callbacks.TerminateOnNaN(),
    ],
)
model.save("keras_ema.keras")
