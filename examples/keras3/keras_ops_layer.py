"""A layer of one's own in keras.ops, with a seed of its own, and a schedule of one's own."""

import keras
import numpy as np
from keras import layers, ops


class Noisy(layers.Layer):
    def __init__(self, units, rate=0.1):
        super().__init__()
        self.dense = layers.Dense(units)
        self.rate = rate
        self.seeds = keras.random.SeedGenerator(1337)
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")

    def call(self, inputs, training=False):
        outputs = self.scale * self.dense(inputs)
        if training:
            noise = keras.random.normal(ops.shape(outputs), seed=self.seeds)
            outputs = outputs + self.rate * noise
        return ops.relu(outputs)


rng = np.random.default_rng(10)
x = rng.normal(size=(400, 6)).astype("float32")
y = x.sum(axis=1, keepdims=True)

inputs = keras.Input((6,))
model = keras.Model(inputs, layers.Dense(1)(Noisy(12)(inputs)))
model.compile(
    optimizer=keras.optimizers.Lion(learning_rate=1e-3),
    loss="mse",
    jit_compile=False,
)
model.fit(x, y, batch_size=20, epochs=2, verbose=0)
print(model.evaluate(x, y, verbose=0))
