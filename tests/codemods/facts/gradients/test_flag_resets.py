"""Where the flag of a broadcast is set back: behind what changes the state between two steps."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.broadcasts import broadcasts

HEAD = """\
import tensorflow as tf
from tensorflow import keras

def make():
    return keras.Sequential([])

model = make()
other = make()
ckpt = tf.train.Checkpoint(model=model)
opt = keras.optimizers.SGD(0.1)
def step(model, opt):
    opt.apply_gradients(zip(g, model.trainable_variables))
"""
FIRST = HEAD.count("\n")


def set_back(text: str) -> list[int]:
    """The lines behind which the flag is set back, or why the loop is refused."""
    found = broadcasts(Facts.of(HEAD + text))
    assert not found.problems, found.problems
    every = (*found.batches, *found.applications)
    return sorted(statement.lineno - FIRST for one in every for statement in one.resets)


STEP = "step(model, opt)\n"
LOOP = "for x in data:\n    {}\n    " + STEP
KEPT = {
    "what comes before the first step": "model.load_weights('a.h5')\n" + STEP,
    "what comes behind the last": STEP + "model.load_weights('a.h5')\n",
    "another model": STEP + "other.set_weights(w)\n" + STEP,
    "weights that are read here": LOOP.format("model.set_weights(model.get_weights())"),
    "a target that follows": LOOP.format(
        "for t, s in zip(other.variables, model.variables):\n        t.assign(s)"
    ),
    "a moving mean": LOOP.format(
        "for t, s in zip(model.variables, saved):\n        t.assign(0.9 * t + 0.1 * s)"
    ),
    "made once, in a function": "def main():\n    model = make()\n    step(model, opt)\nmain()\n",
    "a model with its own optimizer and flag": (
        "for fold in folds:\n    mine = keras.optimizers.SGD(0.1)\n    net = make()\n"
        "    for x in data:\n        mine.apply_gradients(zip(g, net.trainable_variables))\n" + STEP
    ),
}
SET_BACK = {
    "weights of before": (LOOP.format("model.set_weights(kept)"), [2]),
    "a file": (STEP + "model.load_weights('a.h5')\n" + STEP, [2]),
    "a checkpoint": (STEP + "ckpt.restore(path).expect_partial()\n" + STEP, [2]),
    "another optimizer": (STEP + "opt = keras.optimizers.SGD(0.1)\n" + STEP, [2]),
    "another model": (STEP + "model = make()\n" + STEP, [2]),
    "a model for each fold": (LOOP.format("model = make()"), [2]),
    "the weights of another": (LOOP.format("model.set_weights(make().get_weights())"), [2]),
    "copied variables": (
        LOOP.format("for v, w in zip(model.variables, kept):\n        v.assign(w)"),
        [2],
    ),
    "in a helper": ("def again():\n    model.set_weights(kept)\n" + LOOP.format("again()"), [2]),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_the_same_on_all_workers_sets_nothing_back(name: str) -> None:
    assert set_back(KEPT[name]) == []


@pytest.mark.parametrize("name", SET_BACK)
def test_the_next_step_broadcasts_what_was_changed(name: str) -> None:
    text, lines = SET_BACK[name]
    assert set_back(text) == lines


def test_what_no_statement_can_stand_behind_is_refused() -> None:
    text = "def again():\n    return model.set_weights(kept)\n" + LOOP.format("again()")
    (problem,) = broadcasts(Facts.of(HEAD + text)).problems
    assert "changes what it trains" in problem.why


def test_an_object_sets_back_its_own_flag() -> None:
    text = STEP + (
        "class Trainer:\n    def __init__(self):\n        self.net = make()\n"
        "        self.opt = keras.optimizers.SGD(0.1)\n"
        "    def again(self):\n        self.net.set_weights(kept)\n"
        "    def train(self):\n"
        "        self.opt.apply_gradients(zip(g, self.net.trainable_variables))\n"
        "t = Trainer()\nfor fold in folds:\n    t.again()\n    t.train()\n"
    )
    assert set_back(text) == [7]
