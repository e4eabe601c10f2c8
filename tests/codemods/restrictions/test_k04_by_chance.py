"""K04: chance decides how many elements a worker gets; where, by what, and what is not chance."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import random
import numpy as np
import tensorflow as tf
from other import load

x, y = np.ones((8, 4)), np.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
d = tf.data.Dataset.from_tensor_slices((x, y))
"""
LOOP = """
opt = tf.keras.optimizers.SGD(0.1)
for a in {}:
    with tf.GradientTape() as tape:
        loss = model(a)
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
"""
MASK = "m = np.random.rand(8) < 0.5\n"
HIDDEN = "chooses other elements on every worker, and it can't be followed"
CHOOSES = "chooses other elements on every worker: they would take"
SEES = "sees other elements on every worker: they would take"
COUNT = ", and each worker draws its own"
SEED = "seed it for all workers alike: `np.random.seed(0)`"


def found(text: str, given: str = "e") -> list[tuple[int, str, str]]:
    """Lines, counted behind the head, messages and fixes of what blocks the program."""
    text = HEAD + text + ("" if "for a in" in text else f"model.fit({given})\n")
    blocked = [each for each in migrate(text).blocked if each.code == "K04"]
    return [(each.line - HEAD.count("\n"), each.message, each.fix) for each in blocked]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("e = d.shuffle(8).take(4).filter(bool).batch(2)\n", 1, f"`filter` {SEES}"),
        ("e = d.shuffle(8).shuffle(9).skip(4).unbatch()\n", 1, f"`unbatch` {SEES}"),
        ("e = d.shuffle(8)\ne = e.take(4)\ne = e.filter(bool)\n", 1, f"`filter` {SEES}"),
        ("e = d.rejection_resample(f, g).batch(2)\n", 1, f"`rejection_resample` {CHOOSES}"),
        (
            "e = tf.data.Dataset.sample_from_datasets([d, d])\n",
            1,
            f"`sample_from_datasets` {CHOOSES}",
        ),
        ("e = load(d.rejection_resample(f, g))\n", 1, f"`rejection_resample` {HIDDEN}"),
        (
            "e = d.take(3)\ne = load(d.rejection_resample(f, g))\n",
            2,
            f"`rejection_resample` {HIDDEN}",
        ),
        (
            "e = load(tf.data.experimental.sample_from_datasets([d]))\n",
            1,
            f"`sample_from_datasets` {HIDDEN}",
        ),
        ("e = d.shuffle(8)\ne = load(e.take(4).filter(bool))\n", 2, f"`filter` {HIDDEN}"),
    ],
)
def test_a_dataset_that_chance_shortens(text: str, line: int, message: str) -> None:
    ((at, said, fix),) = found(text)
    assert at == line
    assert said.startswith(message)
    assert fix.startswith("give it a `seed`, or ")


@pytest.mark.parametrize(
    "text",
    [
        "e = d.take(4).shuffle(8).filter(bool)\n",
        "e = d.shuffle(8).take(4)\n",
        "e = d.shuffle(8).filter(bool)\n",
        "e = d.shuffle(8, seed=3).take(4).filter(bool)\n",
        "tf.random.set_seed(1)\ne = d.shuffle(8).take(4).filter(bool)\n",
        "e = d.shuffle(8).take(4).filter(bool).repeat()\n",
        "e = d.rejection_resample(f, g, seed=1)\n",
        "e = load()\n",
        "e = load(d.take(3))\n",
        "e = load(d.shuffle(8).take(4))\n",
        "e = load(d.shuffle(8).filter(bool))\n",
        "e = load(d.shuffle(8, seed=1).take(4).filter(bool))\n",
        "e = load(d.rejection_resample(f, g, seed=1))\n",
        "tf.random.set_seed(1)\ne = load(d.shuffle(8).take(4).filter(bool))\n",
        "tf.random.set_seed(1)\ne = load(d.rejection_resample(f, g))\n",
        "d.shuffle(8).take(4).filter(bool)\ne = x\n",
    ],
)
def test_a_dataset_that_chance_does_not_shorten(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "given", "line"),
    [
        (MASK, "x[m], y[m]", 1),
        (f"\n{MASK}{LOOP.format('x[m]')}", "", 2),
        (f"{MASK}e = tf.data.Dataset.from_tensor_slices(x[m]).repeat(2)\n", "e", 1),
        (f"{MASK}e = np.repeat(x[m], 2)\n", "e", 1),
        (f"{MASK}n = np.random.rand(8) < 0.3\nmodel.fit(x[n])\n", "x[m]", 2),
    ],
)
def test_a_mask_that_nobody_seeded(text: str, given: str, line: int) -> None:
    ((at, said, fix),) = found(text, given)
    assert (at, fix) == (line, SEED)
    assert said.partition(":")[0].endswith(COUNT)
    assert "nobody seeds `np.random.rand`; it reaches `" in said


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (f"np.random.seed(0)\n{MASK}", "x[m], y[m]"),
        (f"{MASK}e = tf.data.Dataset.from_tensor_slices(x[m]).repeat()\n", "e, steps_per_epoch=3"),
        (f"{MASK}print(x[m])\n", "x, y"),
        (f"{MASK}for a in x[m]:\n    print(a)\nmodel.fit(x, y)\n", ""),
    ],
)
def test_a_mask_that_changes_no_count(text: str, given: str) -> None:
    assert found(text, given) == []


def notes(text: str, head: str = HEAD) -> list[tuple[int, str]]:
    said = [each for each in migrate(head + text).notes if each.code in ("D107", "K04")]
    return [(each.line, each.message.partition(", because")[0]) for each in said]


WHOLE = "every worker trains on all of this data: "


@pytest.mark.parametrize(
    ("layers", "why"),
    [
        ("", "it is of an unknown kind"),
        (
            "tf.keras.layers.LSTM(1, stateful=True), ",
            "the model keeps its state from batch to batch",
        ),
        ("tf.keras.Input(shape=(4,), batch_size=4), ", "the model takes batches of one size only"),
    ],
)
def test_it_is_said_why_data_is_not_shared(layers: str, why: str) -> None:
    head = HEAD.replace("tial([", f"tial([{layers}")
    assert notes("model.fit(load())\n", head) == [(4, WHOLE + why)]
