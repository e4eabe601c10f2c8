"""Batches that each worker draws or invents for itself."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.drawn_batches import chooses_by_chance, is_endless
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

# -- endless draws -------------------------------------------------------------------------------
# Which generators of a program never end, and which of them choose their examples by chance.

HEAD = "import functools\nimport random\nimport numpy as np\nimport tensorflow as tf\n"
LOOP = "def batches(x, n):\n    while True:\n        {}\n"
DRAWN = LOOP.format("yield x[np.random.randint(0, len(x), n)]")
ENDLESS = {
    "an index of each batch": (DRAWN, True),
    "an index with a name": (LOOP.format("k = random.randrange(n)\n        yield x[k]"), True),
    "in turn": (LOOP.format("yield x[:n]"), False),
    "with noise": (LOOP.format("yield x[:n] + np.random.normal(size=n)"), False),
    "seeded": ("np.random.seed(0)\n" + DRAWN, False),
    "after a word": (DRAWN.replace("    while", "    print(n)\n    while"), True),
}
ENDING = {
    "broken off": LOOP.format("yield x\n        if n > 3:\n            break"),
    "returned from": LOOP.format("yield x\n        if n > 3:\n            return"),
    "as long as something holds": DRAWN.replace("True", "n"),
    "over the data": "def batches(x, n):\n    for k in range(n):\n        yield x[k]\n",
    "wrapped by something unknown": "@unknown\n" + DRAWN,
    "no generator": "def batches(x, n):\n    return x[random.randrange(n)]\n",
    "of a loop within": LOOP.format("for k in x:\n            yield k"),
    "from elsewhere": "from elsewhere import batches\n",
}


def given(text: str) -> tuple[Facts, ast.expr]:
    """The facts of a program, and the data that its last statement takes."""
    facts = Facts.of(f"{HEAD}{text}data = batches(load(), 8)\nprint(data)\n")
    last = facts.module.body[-1]
    assert isinstance(last, ast.Expr)
    assert isinstance(last.value, ast.Call)
    return facts, last.value.args[0]


@pytest.mark.parametrize(("text", "by_chance"), ENDLESS.values(), ids=ENDLESS)
def test_a_generator_that_never_ends(text: str, by_chance: bool) -> None:
    facts, value = given(text)
    assert is_endless(facts, value)
    assert chooses_by_chance(facts, value) == by_chance


@pytest.mark.parametrize("text", ENDING.values(), ids=ENDING)
def test_what_may_end_is_not_endless(text: str) -> None:
    facts, value = given(text)
    assert not is_endless(facts, value)
    assert not chooses_by_chance(facts, value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (DRAWN, []),
        (ENDLESS["in turn"][0], ["D107"]),
        (ENDING["from elsewhere"], ["D107", "K04"]),
    ],
)
def test_only_what_holds_is_said_of_it(text: str, told: list[str]) -> None:
    model = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
    fit = "model.fit(batches(load(), 8), steps_per_epoch=20)\n"
    program = HEAD + text + model + fit
    shared, unshared = migrate(program), migrate(program, Options(shard=False))
    assert [n.code for n in shared.notes if n.code in ("D107", "K04")] == told[:1]  # one of a place
    assert [n.code for n in unshared.notes if n.code in ("D107", "K04")] == told[1:]


# -- invented ------------------------------------------------------------------------------------
# Batches of random numbers are no data that every worker trains on all of.

HEAD_OF_INVENTED = """\
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
    migration = migrate(HEAD_OF_INVENTED + text)
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
    head = HEAD_OF_INVENTED.replace('model.compile(tf.keras.optimizers.SGD(0.1), "mse")\n', "")
    for drawn, expected in (("tf.random.normal((8, 2))", []), ("reader.next()", ["D107"])):
        found = migrate(head + loop.format(drawn))
        assert [note.code for note in found.notes] == expected
