"""Small arrays in the forms of the data sets of `keras.datasets`, the same in every process.

Labels can be learned: images lie near one picture a class, texts draw their words from a part of
the vocabulary that belongs to the class, house prices follow the features.
"""

from __future__ import annotations

import importlib
from typing import Any

WORDS = 20_000
NEAR = 40  # grey levels of noise
PER_CLASS = 200  # words that are drawn for one class only


def images(count: int, shape: tuple[int, ...], classes: int, first: int = 0) -> tuple[Any, Any]:
    """uint8 [count, *shape] and labels uint8 [count]; `first` tells test from training images."""
    np = importlib.import_module("numpy")

    pictures = np.random.RandomState(7).randint(0, 256, (classes, *shape))
    random = np.random.RandomState(11 + first)
    labels = random.randint(0, classes, count).astype(np.uint8)
    found = np.empty((count, *shape), np.uint8)
    for start in range(0, count, 4096):  # in parts: never several times the whole
        part = pictures[labels[start : start + 4096]]
        noise = random.randint(-NEAR, NEAR + 1, part.shape, dtype=np.int16)
        found[start : start + 4096] = np.clip(part + noise, 0, 255)
    return found, labels


def texts(count: int, classes: int, first: int = 0) -> tuple[Any, Any]:
    """Lists of word numbers (objects [count]) and labels int64 [count]."""
    np = importlib.import_module("numpy")

    random = np.random.RandomState(13 + first)
    labels = random.randint(0, classes, count).astype(np.int64)
    found = np.empty(count, object)
    for number, label in enumerate(labels):
        length = int(np.clip(random.lognormal(4.3, 0.6), 10, 500))
        common = np.minimum(random.zipf(1.3, length), WORDS)
        own = PER_CLASS + label * PER_CLASS + random.randint(0, PER_CLASS, length)
        found[number] = np.where(random.rand(length) < 0.5, common, own).tolist()
    return found, labels


def prices(count: int, features: int) -> tuple[Any, Any]:
    """float64 [count, features] and [count]."""
    np = importlib.import_module("numpy")

    random = np.random.RandomState(17)
    x = random.lognormal(0.0, 1.0, (count, features))
    y = 20 + np.log(x) @ random.normal(0, 2, features) + random.normal(0, 1, count)
    return x, y


def word_index() -> dict[str, int]:
    """Words by their number, the most frequent first, from 1 on."""
    return {f"word{number}": number for number in range(1, WORDS + 1)}
