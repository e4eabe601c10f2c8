"""Batches of random numbers are no data that every worker trains on all of."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import random
import numpy as np
import tensorflow as tf

images = np.load("images.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
"""
GENERATOR = """\
def batches():
    while True:
        x = {}
        yield x, x * 2


model.fit(batches(), steps_per_epoch=9{})
"""


def notes(text: str) -> list[str]:
    migration = migrate(HEAD + text)
    assert not migration.blocked
    return [note.code for note in migration.notes if note.code in ("D107", "K04")]


@pytest.mark.parametrize(
    "drawn",
    [
        "np.random.rand(8, 2)",
        "np.random.normal(size=(8, 2)).astype('float32')",
        "tf.random.normal((8, 2))",
        "tf.cast(tf.random.uniform((8, 2)) > 0.5, tf.float32)",
    ],
)
def test_what_is_drawn_for_ever_needs_no_word(drawn: str) -> None:
    assert notes(GENERATOR.format(drawn, "")) == []


@pytest.mark.parametrize(
    "drawn",
    [
        "images[:8] + np.random.rand(8, 2)",
        "np.random.choice(images, 8)",
        "np.random.permutation(images)",
        "np.load('more.npy') + np.random.rand(8, 2)",
        "read(np.random.rand(8, 2))",
        "np.ones((8, 2))",
    ],
)
def test_what_is_read_or_picked_is_named(drawn: str) -> None:
    assert notes(GENERATOR.format(drawn, "")) == ["D107"]


@pytest.mark.parametrize("seed", ["np.random.seed(0)\n", "tf.keras.utils.set_random_seed(0)\n"])
def test_seeded_numbers_are_the_same_for_all(seed: str) -> None:
    assert notes(seed + GENERATOR.format("np.random.rand(8, 2)", "")) == ["D107"]


def test_a_loop_of_ones_own() -> None:
    loop = """\
opt = tf.keras.optimizers.SGD(0.1)
for _ in range(9):
    x = {}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
"""
    head = HEAD.replace('model.compile(tf.keras.optimizers.SGD(0.1), "mse")\n', "")
    for drawn, expected in (("tf.random.normal((8, 2))", []), ("reader.next()", ["D107"])):
        found = migrate(head + loop.format(drawn))
        assert [note.code for note in found.notes] == expected
