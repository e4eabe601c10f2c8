#!/usr/bin/env python3
"""An image classifier that may be stopped at any time: started again, it goes on where it was.

    python keras_resuming_classifier.py --epochs 10
    ^C
    python keras_resuming_classifier.py --epochs 10
"""
import argparse
import glob
import os
import re

import numpy as np
from tensorflow.keras import layers, models, optimizers
from tensorflow.keras.callbacks import ModelCheckpoint

CLASSES = ["circle", "cross", "square"]


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", default=2, type=int, help="in this run")
    p.add_argument("--batch-size", default=32, type=int)
    p.add_argument("--learning-rate", default=0.002, type=float)
    p.add_argument("--checkpoints", default="shapes_checkpoints")
    return p.parse_args()


def draw(kind, rng, size=24):
    y, x = np.mgrid[:size, :size] - rng.integers(9, 15)
    r = rng.integers(5, 8)
    if kind == 0:
        shape = np.abs(np.hypot(x, y) - r) < 1.5
    elif kind == 1:
        shape = (np.abs(np.abs(x) - np.abs(y)) < 1.5) & (np.abs(x) < r)
    else:
        shape = np.abs(np.maximum(np.abs(x), np.abs(y)) - r) < 1
    return shape * 0.8 + rng.normal(0, 0.15, (size, size))


def load_data(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(CLASSES), n)
    images = np.stack([draw(k, rng) for k in labels])
    return images[..., np.newaxis].astype("float32"), labels.astype("int32")


def build_model(learning_rate):
    model = models.Sequential()
    model.add(layers.Conv2D(8, (3, 3), activation="relu", input_shape=(24, 24, 1)))
    model.add(layers.MaxPooling2D((2, 2)))
    model.add(layers.Conv2D(16, (3, 3), activation="relu"))
    model.add(layers.MaxPooling2D((2, 2)))
    model.add(layers.Flatten())
    model.add(layers.Dropout(0.3))
    model.add(layers.Dense(len(CLASSES), activation="softmax"))
    model.compile(
        optimizer=optimizers.Adam(learning_rate=learning_rate),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def latest(folder):
    """The newest checkpoint and its epoch; (None, 0) where there is none."""
    found = sorted(glob.glob(os.path.join(folder, "epoch-*.keras")))
    if not found:
        return None, 0
    return found[-1], int(re.search(r"epoch-(\d+)", found[-1]).group(1))


def main():
    args = get_args()
    if not os.path.isdir(args.checkpoints):
        os.makedirs(args.checkpoints)

    x_train, y_train = load_data(600, seed=1)
    x_test, y_test = load_data(150, seed=2)

    path, first_epoch = latest(args.checkpoints)
    if path:
        print("==> resuming from", path)
        model = models.load_model(path)
    else:
        print("==> starting from scratch")
        model = build_model(args.learning_rate)
    model.summary()

    model.fit(
        x_train,
        y_train,
        batch_size=args.batch_size,
        initial_epoch=first_epoch,
        epochs=first_epoch + args.epochs,
        validation_data=(x_test, y_test),
        callbacks=[ModelCheckpoint(os.path.join(args.checkpoints, "epoch-{epoch:03d}.keras"))],
    )

    loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print("test accuracy after epoch %d: %.3f" % (first_epoch + args.epochs, accuracy))
    wrong = np.flatnonzero(model.predict(x_test, verbose=0).argmax(axis=1) != y_test)
    for i in wrong[:5]:
        print("  mistook a", CLASSES[y_test[i]])


if __name__ == "__main__":
    main()
