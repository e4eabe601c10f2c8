"""A frozen base, then all of it with a smaller rate: a second compile and fit."""

import keras
import numpy as np

rng = np.random.default_rng(6)
x = rng.normal(size=(320, 8)).astype("float32")
y = rng.integers(0, 3, size=320)

base = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, "relu")])
base.trainable = False
model = keras.Sequential([base, keras.layers.Dense(3, activation="softmax")])

model.compile("rmsprop", "sparse_categorical_crossentropy")
model.fit(x, y, batch_size=16, epochs=1)

base.trainable = True
schedule = keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=60)
model.compile(keras.optimizers.SGD(schedule, momentum=0.9), "sparse_categorical_crossentropy")
model.fit(x, y, batch_size=16, epochs=2)
