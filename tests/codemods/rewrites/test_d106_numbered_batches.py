"""What gives its batches by number with Keras 2 gets fewer of them in an epoch; a note where not."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import random
import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing.image import ImageDataGenerator


class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return 9

    def __getitem__(self, index):
        return np.ones((4, 2)), np.ones((4, 1))


def batches():
    while True:
        yield np.ones((4, 2)), np.ones((4, 1))


x, y = np.load("x.npy"), np.load("y.npy")
images = ImageDataGenerator(rescale=1 / 255)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
DIRECTORY = "data = images.flow_from_directory('d', batch_size=4)\n"
STEPS = "steps_per_epoch=max(1, len(data) // hvd.size())"


def becomes(text: str, **options: bool) -> tuple[str, list[str], list[str]]:
    """The program, what is said of its data, and the fixes."""
    found = migrate(HEAD + text, Options(**options))  # type: ignore[arg-type]
    assert not found.blocked
    notes = [n for n in found.notes if n.code in ("D107", "K04")]
    return found.after, [n.message for n in notes], [n.fix for n in notes]


@pytest.mark.parametrize(
    "text",
    [
        DIRECTORY + "model.fit(data)\n",
        DIRECTORY + "model.fit(data, epochs=3, shuffle=True)\n",
        "np.random.seed(1)\n" + DIRECTORY + "model.fit(data)\n",
        "random.seed(1)\n" + DIRECTORY + "model.fit(data)\n",
        "random.seed(1)\nrandom.shuffle(names)\nprint(names)\n" + DIRECTORY + "model.fit(data)\n",
        "data = images.flow_from_dataframe(x)\nmodel.fit(data)\n",
        DIRECTORY.replace("'d'", "'d' if len(x) else 'e'") + "model.fit(data, epochs=3)\n",
    ],
)
def test_an_epoch_takes_its_share_of_the_batches(text: str) -> None:
    after, said, _ = becomes(text)
    assert (after.count(STEPS), said) == (1, [])


def test_what_has_no_name_gets_one_for_its_length() -> None:
    after, said, _ = becomes("model.fit(images.flow_from_directory('d', seed=3), epochs=2)\n")
    assert "batches_1 = images.flow_from_directory('d', seed=3)\nmodel.fit(" in after
    assert STEPS.replace("data", "batches_1") in after
    assert said == []


def test_given_steps_are_divided_and_nothing_needs_a_word() -> None:
    after, said, _ = becomes(DIRECTORY + "model.fit(data, steps_per_epoch=20)\n")
    assert "steps_per_epoch=max(1, 20 // hvd.size())" in after
    assert said == []


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        (
            "run = lambda: model.fit(images.flow_from_directory('d'))\nrun()\n",
            "goes through all",
            "steps_per_epoch=max(1, len(batches) //",
        ),
        (DIRECTORY + "model.fit(data, shuffle=False)\n", "the same of these", "`shuffle=False`"),
        (
            "random.seed(1)\nnp.random.seed(1)\n" + DIRECTORY + "model.fit(data)\n",
            "the same of these",
            "hvd.rank()",
        ),
        ("data = batches()\nmodel.fit(data, steps_per_epoch=9)\n", "same batches", "islice(data"),
    ],
)
def test_what_takes_all_or_the_same_is_named_with_code(text: str, message: str, fix: str) -> None:
    after, said, fixes = becomes(text)
    assert STEPS not in after
    assert [message in said[0], fix in fixes[0], len(said)] == [True, True, 1]


@pytest.mark.parametrize(
    "text",
    [
        # the arrays themselves are shared out
        "data = images.flow(x, y, batch_size=4)\nmodel.fit(data)\n",
        "data = elsewhere.Batches()\nmodel.fit(data)\n",
        "data = Batches()\nkw = unknown()\nmodel.fit(x, y)\nmodel.evaluate(data)\n",
    ],
)
def test_no_other_steps_are_counted(text: str) -> None:
    assert STEPS not in becomes("import elsewhere\n" + text)[0]


def test_nothing_is_counted_where_data_is_not_to_be_shared_out() -> None:
    assert STEPS not in becomes(DIRECTORY + "model.fit(data)\n", shard=False)[0]


def test_a_long_argument_gets_a_line_of_its_own() -> None:
    long = "model.fit(data, epochs=3, validation_data=(x, y), validation_freq=2,\n"
    text = DIRECTORY + long + " " * 10 + "initial_epoch=0, workers=2, use_multiprocessing=False)\n"
    assert f"use_multiprocessing=False,\n          {STEPS}" in becomes(text)[0]
