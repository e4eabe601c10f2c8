"""Twins of a program: one is refused or remarked, the other, which differs in a word, is not."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.migrate import migrate
from distify.codemods.model import Options
from distify.codemods.restrictions._finding import _seed

HEAD = """\
import os
import random
import sys
import numpy as np
import tensorflow as tf
from elsewhere import load

"""
MODEL = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", metrics=[tf.keras.metrics.AUC()])
"""
LOOP = """\
opt = tf.keras.optimizers.SGD(0.1)
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
ds = tf.data.Dataset.range(64).batch(4)
for step, x in enumerate(ds):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
"""


def told(text: str, code: str) -> list[tuple[int, str, str, str]]:
    """Line in the snippet behind HEAD, severity, words and fix of what a code says."""
    found = migrate(HEAD + text)
    every = sorted((*found.blocked, *found.notes))
    start = HEAD.count("\n")
    return [(f.line - start, f.severity, f.message, f.fix) for f in every if f.code == code]


@pytest.mark.parametrize("remove", ["os.remove", "os.unlink", "tf.io.gfile.remove"])
def test_a_file_that_is_removed_while_others_read_it_is_remarked(remove: str) -> None:
    clean = f"for name in os.listdir('a'):\n    with open(name) as f:\n        f.read()\n    {remove}(name)\n    kept.append(name)\n"
    fit = "model.fit(np.ones((8, 4)), np.ones((8, 1)))\n"
    words = [message for *_, message, _ in told(clean + MODEL + fit, "D203")]
    assert any("may be about to open" in each for each in words)
    kept = clean.replace(f"{remove}(name)", "os.stat(name)")
    words = [message for *_, message, _ in told(kept + MODEL + fit, "D203")]
    assert not any("may be about to open" in each for each in words)


@pytest.mark.parametrize(
    ("given", "x", "y"),
    [("data, labels", "data", "labels"), ("x=data, y=labels", "data", "labels")],
)
def test_the_fix_of_a_split_validation_names_what_is_given(given: str, x: str, y: str) -> None:
    arrays = "data, labels = np.load('x.npy'), np.load('y.npy')\n"
    text = f"{arrays}{MODEL}model.fit({given}, validation_split=0.2)\n"
    fixes = [fix for *_, message, fix in told(text, "D107") if "own share" in message]
    assert len(fixes) == 1
    assert f"`fit({x}[:n], {y}[:n], validation_data=({x}[n:], {y}[n:]))`" in fixes[0]


def test_joined_datasets_are_shared_out_one_by_one() -> None:
    made = "tf.data.Dataset.zip((a, load()))"
    text = f"a = tf.data.Dataset.range(9).shuffle(9)\n{MODEL}model.fit({made}.batch(2))\n"
    (found,) = [each for each in told(text, "D107") if "`zip`" in each[2]]
    assert "behind each of the datasets that `zip` joins" in found[3]


def test_what_is_bound_at_a_step_counts_where_it_is_read_for_the_training() -> None:
    body = LOOP + "    if step % 20 == 0:\n        beta = 0.5\n        print(beta)\n"
    for after, is_divided in {
        "": False,
        "print(beta)\n": False,
        "    loss = beta * 2\n": True,
        "    print(beta)\n": False,
        "loss = beta * 2\n": False,
        "def later():\n    return beta\n": True,
    }.items():
        text = migrate(HEAD + "beta = 1\n" + body + after, Options(unsound=True)).after
        assert ("20 // hvd.size()" in text) is is_divided, after


TARGET = """\
target = tf.keras.Sequential([tf.keras.layers.Dense(1)])
x = np.ones((64, 4), "float32")
"""


@pytest.mark.parametrize(
    ("seeds", "is_refused"),
    [
        ("", True),
        ("tf.random.set_seed(0)\n", True),
        ("tf.keras.utils.set_random_seed(0)\n", False),
    ],
)
def test_a_target_of_random_weights_needs_all_seeds(seeds: str, is_refused: bool) -> None:
    text = seeds + TARGET + MODEL + "model.fit(x, target.predict(x))\n"
    assert bool([each for each in told(text, "T07") if "nobody trains" in each[2]]) is is_refused


def test_a_loop_of_ones_own_may_ask_a_target() -> None:
    text = TARGET + LOOP.replace("net(x)", "net(x) - target(x)")
    assert not [each for each in told(text, "T07") if "nobody trains" in each[2]]


@pytest.mark.parametrize(
    ("rate", "is_refused"),
    [
        ("0.01 if random.random() > 0.5 else 0.1", True),
        ("0.01 if step > 5 else 0.1", False),
    ],
)
def test_a_rate_that_chance_decides_is_refused(rate: str, is_refused: bool) -> None:
    test = rate[8:].partition(" else")[0]
    text = LOOP + f"    if {test}:\n        opt.learning_rate = 0.01\n"
    assert (
        bool([each for each in told(text, "T07") if "number of the optimizer" in each[2]])
        is is_refused
    )
    by_name = (
        LOOP
        + f"    rate = 0.1\n    if {test}:\n        rate = 0.01\n    opt.learning_rate = rate\n"
    )
    assert (
        bool([each for each in told(by_name, "T07") if "number of the optimizer" in each[2]])
        is is_refused
    )
    added = by_name.replace("rate = 0.01", "rate -= 0.01")
    assert (
        bool([each for each in told(added, "T07") if "number of the optimizer" in each[2]])
        is is_refused
    )


DRAWN = """\
x = np.load("x.npy")
mask = np.random.rand(len(x)) > 0.5
"""


def test_only_the_first_mask_by_chance_is_named() -> None:
    text = DRAWN + "rest = np.random.rand(len(x)) > 0.5\n" + MODEL
    text += "model.fit(x[mask], x[mask])\nmodel.fit(x[rest], x[rest])\n"
    found = [each for each in told(text, "K04") if "how many examples" in each[2]]
    assert len(found) == 1
    assert found[0][3].startswith("seed it for all workers alike: `np.random.seed(0)`")
    seeded = told("np.random.seed(0)\n" + text, "K04")
    assert not [each for each in seeded if "how many examples" in each[2]]


def test_the_method_by_which_chance_decides_is_named() -> None:
    made = "other = load(tf.data.Dataset.range(9).rejection_resample(f, [0.5, 0.5]))\n"
    found = [each for each in told(made + MODEL + "model.fit(other)\n", "K04") if each[1] != "note"]
    assert [message.partition(" chooses")[0] for *_, message, _ in found] == [
        "`rejection_resample`"
    ]


HOROVOD = """\
import horovod.tensorflow as hvd

hvd.init()
"""


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("if hvd.rank() == 0:\n    hvd.allreduce(1.0)\n", 4),
        ("\n\nif hvd.rank() == 0:\n    hvd.allreduce(1.0)\n", 6),
    ],
)
def test_the_line_of_the_deciding_test_is_told(lines: str, line: int) -> None:
    ((at, *_, message, _),) = told(HOROVOD + lines, "H05")
    start = HEAD.count("\n")
    assert at == line + 1
    assert f"`hvd.rank() == 0` in line {line + start} lets only some" in message


def test_a_number_of_shares_of_ones_own_is_mended_by_that_of_the_workers() -> None:
    text = HOROVOD.replace("tensorflow as", "tensorflow.keras as") + MODEL
    text = text.replace('"sgd"', "hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1))")
    text += "ds = tf.data.Dataset.range(65).shard(4, hvd.rank()).batch(8)\nmodel.fit(ds)\n"
    fixes = [fix for *_, fix in told(text, "H19")]
    assert fixes == ["write `.shard(hvd.size(), hvd.rank())`"]


def test_the_line_of_a_jump_that_some_take_is_told() -> None:
    text = (
        "def run():\n    if hvd.rank() == 1:\n        return\n    hvd.allreduce(1.0)\n\n\nrun()\n"
    )
    ((at, *_, message, _),) = told(HOROVOD + text, "H05")
    start = HEAD.count("\n")
    assert at == 7
    assert (
        f"in line {start + 5} lets some workers leave by the `return` in line {start + 6}"
        in message
    )


@pytest.mark.parametrize(
    ("draw", "seed"),
    [
        ("np.random.shuffle(x)", "np.random.seed(0)"),
        ("random.shuffle(x)", "random.seed(0)"),
        ("tf.random.shuffle(x)", "tf.random.set_seed(0)"),
        ("shuffle(x)", "numpy.random.seed(0)"),
        ("rng.shuffle(x)", "rng = numpy.random.default_rng(0)"),
        ("unknown(x)", "seed=0"),
    ],
)
def test_what_seeds_a_draw_is_spelled_as_the_draw_is(draw: str, seed: str) -> None:
    facts = Facts.of(HEAD + f"from numpy.random import shuffle\nrng = load()\n{draw}\n")
    last = facts.module.body[-1]
    assert isinstance(last, ast.Expr)
    assert isinstance(last.value, ast.Call)
    assert _seed(facts, last.value.func) == seed


def test_unknown_data_is_told_where_it_is_made_and_the_loop_it_reaches() -> None:
    text = "data = load('a')\n" + LOOP.replace("enumerate(ds)", "data").replace("step, x", "x")
    found = [each for each in told(text, "D107") if "trains on all of this data" in each[2]]
    line = HEAD.count("\n") + 5
    assert [(each[0], f"it reaches the loop in line {line}" in each[2]) for each in found] == [
        (-1, True)
    ]  # its import
