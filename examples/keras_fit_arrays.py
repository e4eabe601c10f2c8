"""Linear regression with plain SGD: small, deterministic, and easy to check by hand."""

import argparse

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=25)
parser.add_argument("--learning-rate", type=float, default=0.02)
parser.add_argument("--examples", type=int, default=1001)
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

tf.keras.utils.set_random_seed(42)

x = np.random.default_rng(0).normal(size=(1001, 8)).astype("float32")
y = np.tanh(x @ np.linspace(-1, 1, 8)).astype("float32")
x, y = x[: args.examples], y[: args.examples]

x_val = np.random.default_rng(1).normal(size=(99, 8)).astype("float32")
y_val = np.tanh(x_val @ np.linspace(-1, 1, 8)).astype("float32")

model = tf.keras.models.Sequential()
model.add(layers.Dense(16, activation="tanh", input_dim=8))
model.add(layers.Dense(1))

sgd = optimizers.SGD(learning_rate=args.learning_rate)
model.compile(sgd, loss="mse")
model.fit(
    x,
    y,
    batch_size=args.batch_size,
    epochs=args.epochs,
    shuffle=False,
    validation_data=(x_val, y_val),
)
