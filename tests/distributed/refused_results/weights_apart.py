"""Obligation: paired. The weights of the examples are the first ones, whatever share they weigh."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
wrong = np.arange(64, dtype="float32") % 4 // 2
given = y + 100 * wrong[:, None]
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.05), loss="mse")
model.fit(x, given, batch_size=8, epochs=20, shuffle=False, sample_weight=1 - wrong)
assert np.mean((model(x) - y) ** 2) < 0.1, "examples that weigh nothing are learned"
