"""Programs whose generators are dealt out in turns, and the line that says so."""
# ruff: noqa: E501  (programs, a line each)

from __future__ import annotations

HEAD = """\
import itertools

import numpy as np
import tensorflow as tf
from tqdm import tqdm

x = np.load("x.npy")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


"""
STEP = """\
def step(inputs):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(inputs) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


"""
BATCHES = """\
def batches(size=16):
    for i in range(0, len(x), size):
        yield x[i : i + size]


"""
LOOP = "for inputs in batches():\n    step(inputs)\n"
PAIRS = BATCHES.replace("yield x[i : i + size]", "yield x[i : i + size], y[i : i + size]")
FIT = 'model.compile(optimizer, "mse")\nmodel.fit(batches(), steps_per_epoch=8)\n'
ENDLESS = PAIRS.replace("    for", "    while True:\n      for").replace("    yield", "      yield")
LOADER = """\
class Loader:
    def __init__(self, x, size):
        self.x, self.size = x, size

    def __iter__(self):
        for i in range(0, len(self.x), self.size):
            yield self.x[i : i + self.size]

    def batches(self):
        return iter(self)


loader = Loader(x, 16)
"""
ENDLESS_ONES = BATCHES.replace("    for", "    while True:\n      for").replace(
    "    yield", "      yield"
)
TURNING = """\
class Batches:
    def __init__(self, x, y):
        self.x, self.y, self.at = x, y, 0

    def __iter__(self):
        return self

    def __next__(self):
        at = slice(self.at, self.at + 16)
        self.at = (self.at + 16) % len(self.x)
        return self.x[at], self.y[at]


"""
DEALT = {
    "in a loop": (STEP + BATCHES + LOOP, "for inputs in share(batches()):"),
    "in epochs": (
        STEP
        + BATCHES
        + "for epoch in range(9):\n    for inputs in batches(8):\n        step(inputs)\n",
        "for inputs in share(batches(8)):",
    ),
    "numbered": (
        STEP + BATCHES + "for n, inputs in enumerate(batches()):\n    print(n, step(inputs))\n",
        "in enumerate(share(batches())):",
    ),
    "shown": (
        STEP + BATCHES + "for inputs in tqdm(batches()):\n    step(inputs)\n",
        "tqdm(share(batches()), disable=hvd.rank() != 0)",
    ),
    "by a name": (
        STEP + BATCHES + "data = batches()\nfor inputs in data:\n    step(inputs)\n",
        "for inputs in share(data):",
    ),
    "whole, and taken apart later": (
        STEP + BATCHES.replace("yield x[i : i + size]", "yield x[i : i + size], i")
        + "for batch in batches():\n    inputs, at = batch\n    step(inputs)\n",
        "for batch in share(batches()):",
    ),
    "by where slices begin": (
        STEP + "for i in range(0, len(x), 16):\n    step(x[i : i + 16])\nprint(x.mean())\n",
        "for i in share(range(0, len(x), 16)):",
    ),
    "by the number of a slice": (
        STEP + "for i in range(16):\n    step(x[i * 16 : (i + 1) * 16])\nprint(x.mean())\n",
        "for i in share(range(16)):",
    ),
    "by slices of an order that rank 0 tells": (
        STEP + "for epoch in range(2):\n    order = np.random.permutation(len(x))\n"
        "    for i in range(0, len(x), 16):\n        step(x[order[i : i + 16]])\nprint(x.mean())\n",
        "    order = hvd.broadcast_object(np.random.permutation(len(x)), root_rank=0)",
    ),
    "of an object": (
        STEP + LOADER + "for inputs in loader:\n    step(inputs)\n", "for inputs in share(loader):"
    ),
    "by what is made of the count": (
        STEP + BATCHES.replace("yield x[i : i + size]", "part = x[i : i + size]\n        yield part") + LOOP,
        "for inputs in share(batches()):",
    ),
    "of train_on_batch": (
        PAIRS + 'model.compile(optimizer, "mse")\nfor a, b in batches():\n    model.train_on_batch(a, b)\n',
        "for a, b in share(batches()):",
    ),
    "of a fit": (ENDLESS + FIT, "share(batches()),"),
    "in an order that rank 0 tells": (
        STEP + BATCHES.replace("    for", "    order = np.random.permutation(len(x))\n    for").replace(
            "x[i : i + size]", "x[order[i : i + size]]"
        ) + LOOP,
        "    order = hvd.broadcast_object(np.random.permutation(len(x)), root_rank=0)",
    ),
    "until a count ends it": (
        STEP + ENDLESS_ONES + "for n, inputs in enumerate(batches()):\n    if n >= 16:\n        break\n"
        "    step(inputs)\n",
        "for n, inputs in enumerate(share(batches())):\n    if n >= max(1, 16 // hvd.size()):",
    ),
    "asked for one by one": (
        STEP + ENDLESS_ONES + "given = batches()\nfor n in range(16):\n    inputs = next(given)\n"
        "    step(inputs)\n",
        "given = share(batches())\nfor n in range(max(1, 16 // hvd.size())):",
    ),
    "asked for in pairs": (
        STEP + ENDLESS.replace("y[i", "2 * x[i")
        + "given = iter(batches())\nn = 0\nwhile n < 16:\n    inputs, _ = next(given)\n    step(inputs)\n"
        "    n += 1\n",
        "given = share(iter(batches()))\nn = 0\nwhile n < max(1, 16 // hvd.size()):",
    ),
    "so many of them": (
        STEP + ENDLESS_ONES + "for inputs in itertools.islice(batches(), 16):\n    step(inputs)\n",
        "for inputs in share(itertools.islice(batches(), 16)):",
    ),
    "side by side": (
        STEP + BATCHES + "for a, b in zip(batches(), batches()):\n    step(a)\n",
        "for a, b in share(zip(batches(), batches())):",
    ),
    "a list of batches": (
        STEP + "parts = [x[i : i + 16] for i in range(0, len(x), 16)]\nfor epoch in range(2):\n"
        "    for inputs in parts:\n        step(inputs)\n",
        "for inputs in share(parts):",
    ),
    "parts of an array": (
        STEP + "for epoch in range(2):\n    for inputs in np.array_split(x, 16):\n        step(inputs)\n",
        "for inputs in share(np.array_split(x, 16)):",
    ),
    "a list in an order that rank 0 tells": (
        STEP + "parts = [x[k] for k in np.array_split(np.random.permutation(len(x)), 16)]\n"
        "for inputs in parts:\n    step(inputs)\n",
        "hvd.broadcast_object(np.random.permutation(len(x)), root_rank=0)",
    ),
    "of a fit, by a name": (
        ENDLESS + 'model.compile(optimizer, "mse")\ngiven = batches()\nmodel.fit(given, steps_per_epoch=8)\n',
        "share(given),",
    ),
    "of an object that turns": (
        TURNING + 'model.compile(optimizer, "mse")\nmodel.fit(Batches(x, y), steps_per_epoch=8)\n',
        "share(Batches(x, y)),",
    ),
}  # fmt: skip
SEED = "np.random.seed(1)\n"
PICKS = {
    "an index": (
        SEED + STEP + "for n in range(16):\n    pick = np.random.choice(len(x), 16, replace=False)\n"
        "    step(x[pick])\n",
        "pick = [np.random.choice(len(x), 16, replace=False) for turn in range(hvd.size())][hvd.rank()]",
    ),
    "in its place": (
        SEED + STEP + "for n in range(16):\n    step(x[np.random.randint(0, 256, 16)])\n",
        "step(x[[np.random.randint(0, 256, 16) for turn in range(hvd.size())][hvd.rank()]])",
    ),
    "inputs and targets": (
        SEED + 'model.compile(optimizer, "mse")\nfor n in range(16):\n'
        "    pick = np.random.randint(0, len(x), 16)\n    model.train_on_batch(x[pick], y[pick])\n",
        "pick = [np.random.randint(0, len(x), 16) for turn in range(hvd.size())][hvd.rank()]",
    ),
    "by a function": (
        SEED + STEP + "def batch(n):\n    pick = np.random.randint(0, len(x), n)\n    return x[pick]\n\n\n"
        "for n in range(16):\n    step(batch(16))\n",
        "pick = [np.random.randint(0, len(x), n) for turn in range(hvd.size())][hvd.rank()]",
    ),
    "of a generator of numbers": (
        STEP + "numbers = np.random.default_rng(1)\nfor n in range(16):\n"
        "    pick = numbers.integers(0, len(x), 16)\n    step(x[pick])\n",
        "pick = [numbers.integers(0, len(x), 16) for turn in range(hvd.size())][hvd.rank()]",
    ),
}  # fmt: skip
