"""float16 under fit: compile puts the optimizer into a LossScaleOptimizer by itself."""

import keras
import numpy as np

keras.mixed_precision.set_global_policy("mixed_float16")

rng = np.random.default_rng(5)
x = rng.normal(size=(320, 8)).astype("float32")
y = x.sum(axis=1, keepdims=True)

model = keras.Sequential(
    [keras.Input((8,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(1, dtype="float32")]
)
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
model.fit(x, y, batch_size=16, epochs=3)
