"""A run that goes on where it was killed, a rate of another module, hidden arguments.

Repair: A13, A14, A15, A16.
"""

import fractions

import numpy as np
import tensorflow as tf

x = np.random.default_rng(1).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
rate = fractions.Fraction(1, 100)
model.compile(tf.keras.optimizers.SGD(rate, momentum=0.5), "mse")
backup = tf.keras.callbacks.BackupAndRestore("kept")
options = {"epochs": 2}
if len(x) > 9:
    options["callbacks"] = [backup]
train = model.fit
train(x, y, batch_size=8, **options)
