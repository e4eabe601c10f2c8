"""A list of callbacks that grows with the options of the command line."""
from __future__ import annotations

import argparse
import os

import numpy as np
import tensorflow as tf
from tensorflow import keras


class LossHistory(keras.callbacks.Callback):
    """Keeps the loss of every batch."""

    def on_train_begin(self, logs=None):
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])


def schedule(epoch, lr):
    if epoch < 1:
        return 0.05
    return lr * 0.5


def get_callbacks(output: str, tensorboard: bool) -> list[keras.callbacks.Callback]:
    callbacks = [
        keras.callbacks.LearningRateScheduler(schedule),
        keras.callbacks.ModelCheckpoint(os.path.join(output, "epoch-{epoch}.weights.h5"), save_weights_only=True),
    ]
    if tensorboard:
        callbacks.append(keras.callbacks.TensorBoard(output))
    callbacks.append(keras.callbacks.CSVLogger(os.path.join(output, "log.csv")))
    return callbacks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", default="callback-list")
    parser.add_argument("--no-tensorboard", dest="tensorboard", action="store_false")
    args = parser.parse_args()
    os.makedirs(args.output, exist_ok=True)

    x = np.random.default_rng(3).normal(size=(515, 4)).astype(np.float32)
    y = (x.prod(axis=1) > 0).astype(np.float32)

    model = keras.models.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    opt = tf.optimizers.SGD(0.05, momentum=0.9)
    model.compile(opt, loss=keras.losses.BinaryCrossentropy(from_logits=True))

    history = LossHistory()
    callbacks = get_callbacks(args.output, args.tensorboard)
    callbacks.append(history)
    model.fit(x, y, 32, 3, 2, callbacks)
    print("batches seen:", len(history.losses))


if __name__ == "__main__":
    main()
