"""Data that one function makes for training and for tests: shared at its call, or in turns.

The function can't cut, as the tests need all of theirs.
"""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.judge.proof import ARRAYS, PIPELINE, TURNS
from distify.codemods.judge.rows import Rows, RowsOf
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration

HEAD = """\
import numpy as np
import pandas as pd
import tensorflow as tf

x, y, x_test, y_test = (np.load(name) for name in ("x.npy", "y.npy", "u.npy", "v.npy"))
table, rest = pd.read_csv("a.csv"), pd.read_csv("b.csv")
"""
MAKE = """\
def make(x, y, size=16, shuffled=False):
    data = tf.data.Dataset.from_tensor_slices((x, y))
    if shuffled:
        data = data.shuffle(len(x))
    return data.batch(size)


"""
MODEL = 'model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile("sgd", "mse")\n'
FIT = MODEL + "model.fit(train)\nmodel.evaluate(test)\n"
BOTH = "train, test = make(x, y, shuffled=True), make(x_test, y_test)\n" + FIT
CUT = "make(x[shard], y[shard], shuffled=True), make(x_test, y_test)"


def of_slices(elements: str, arguments: str = "x, y", before: str = "", after: str = "") -> str:
    """A function that makes a dataset of these elements, and its two calls."""
    body = (
        f"{before}    return tf.data.Dataset.from_tensor_slices({elements}){after}.batch(8)\n\n\n"
    )
    tests = arguments.replace("x", "x_test").replace("y", "y_test").replace("table", "rest")
    names = "x, y" if arguments == "x, y" else "given"
    made = f"train = make({arguments})\ntest = make({tests})\n"
    return f"def make({names}):\n{body}{made}{FIT}"


AT_CALLS = {
    "both": (MAKE + BOTH, CUT),
    "a loop": (
        MAKE + "train, test = make(x, y, shuffled=True), make(x_test, y_test)\n" + MODEL
        + "opt = tf.keras.optimizers.SGD(0.1)\n"
        "for a, b in train:\n    with tf.GradientTape() as tape:\n"
        "        loss = tf.reduce_mean((model(a) - b) ** 2)\n"
        "    grads = tape.gradient(loss, model.trainable_variables)\n"
        "    opt.apply_gradients(zip(grads, model.trainable_variables))\n"
        "print(sum(float(tf.reduce_mean((model(a) - b) ** 2)) for a, b in test))\n",
        CUT,
    ),
    "in the call of fit": (
        MAKE + MODEL + "model.fit(make(x, y), epochs=3)\nmodel.evaluate(make(x_test, y_test))\n",
        "model.fit(\n    make(x[shard], y[shard])",
    ),
    "row by row": (
        of_slices("(tf.cast(x, tf.float32) / 255.0, tf.one_hot(y, 10))"),
        "make(x[shard], y[shard])",
    ),
    "a column more": (of_slices("(x[..., None], y.reshape(-1, 1))"), "make(x[shard], y[shard])"),
    "a pair": (
        of_slices("(a, b)", "(x, y)", "    a, b = given\n"), "make((x[shard], y[shard]))",
    ),
    "a table": (
        of_slices(
            "(dict(given), labels)", "table",
            "    given = given.copy()\n    labels = given.pop('target')\n",
        ),
        "make(table[shard])",
    ),
}  # fmt: skip
IN_TURNS = {
    "a mean over all": of_slices("(x - x.mean(), y)"),
    "a part of them": of_slices("(x[:100], y[:100])"),
    "those of a mask": of_slices("(x[y > 0], y[y > 0])"),
    "beside other data": of_slices("(x, table)"),
    "windows": of_slices("x", after=".window(3).flat_map(lambda w: w.batch(3))"),
    "a generator expression": MAKE
    + "train, test = (make(a, b, shuffled=True) for a, b in ((x, y), (x_test, y_test)))\n"
    + FIT,
    "trained on and tested": MAKE + "train = test = make(x, y, shuffled=True)\n" + FIT,
    "files": "def make(name, shuffled):\n    data = tf.data.TFRecordDataset(name).map(f)\n"
    "    return (data.shuffle(64) if shuffled else data).batch(8)\n\n\n"
    "def f(record):\n    return tf.io.parse_tensor(record, tf.float32), 1.0\n\n\n"
    'train, test = make("a.rec", True), make("b.rec", False)\n' + FIT,
    "no function": "train = test = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(9).batch(8)\n"
    + FIT,
}


def shared(text: str) -> tuple[Migration, frozenset[int]]:
    """What becomes of a program, and the rungs on which it is shared."""
    found = migrate(HEAD + text)
    assert not found.blocked, found.blocked
    return found, frozenset(rung for proof in found.proofs for rung in proof.rungs)


@pytest.mark.parametrize("name", AT_CALLS)
def test_the_call_is_given_a_share_of_the_arrays(name: str) -> None:
    text, call = AT_CALLS[name]
    found, rungs = shared(text)
    assert call in found.after
    assert "seed" not in found.after
    assert rungs == {ARRAYS}


@pytest.mark.parametrize("name", IN_TURNS)
def test_what_is_not_made_row_by_row_is_dealt_out_behind(name: str) -> None:
    found, rungs = shared(IN_TURNS[name])
    assert found.after.count(".shard(") in (1, 2)
    assert "[shard]" not in found.after
    is_mixed = any(each in IN_TURNS[name] for each in ("shuffled=True", "shuffle(", "rec"))
    assert rungs == {TURNS if is_mixed else PIPELINE}  # else examples, out of their batches
    assert ("seed=0)" in found.after) is is_mixed


def test_the_tests_have_all_of_their_data() -> None:
    text = MAKE + BOTH.replace("model.evaluate(test)", "print(next(iter(test)))")
    assert CUT in shared(text)[0].after


def test_a_first_look_at_what_is_trained_on_needs_no_other_place() -> None:
    text = MAKE.replace("return data", "data = data\n    return data") + (
        "train = make(x, y)\nprint(next(iter(train)))\n" + MODEL + "model.fit(train)\n"
    )
    found, _ = shared(text)
    assert ".take(len(x) // hvd.size() * hvd.size())" in found.after


@pytest.mark.parametrize("name", ["in the loop", "in a function"])
def test_one_order_for_all_epochs_is_no_price_for_a_share(name: str) -> None:
    files = IN_TURNS["files"].partition("train, test")[0]
    fit = 'model.fit(make("a.rec", True))\n'
    epochs = f"for _ in range(3):\n    {fit}"
    if name == "in a function":
        epochs = f"def once():\n    {fit}\n\nfor _ in range(3):\n    once()\n"
    found = migrate(HEAD + files + MODEL + epochs + 'model.evaluate(make("b.rec", False))\n')
    assert "seed=0" not in found.after
    assert [each.code for each in found.blocked] == ["J08"]


BY_HAND = """\
import horovod.tensorflow.keras as hvd
{head}
part = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
{make}train, test = {calls}
model.fit(train)
model.evaluate(test)
"""
PLAIN = MAKE.replace("        data = data.shuffle(len(x))\n", "        print(len(x))\n")
READS = MAKE.replace("(x, y))", "(np.load('all.npy'), np.load('targets.npy')))")


def rows(calls: str, make: str = MAKE) -> tuple[Rows, Rows]:
    """Whose rows are trained on, and whose tested."""
    facts = Facts.of(BY_HAND.format(head=HEAD, make=make, calls=calls))
    found = RowsOf(facts.program)
    fit, evaluate = list(facts.calls("fit", "evaluate"))
    return found.of(fit.args[0]), found.of(evaluate.args[0])


def test_each_call_has_the_rows_that_it_is_given() -> None:
    shared = "make(x[part], y[part], shuffled=True), make(x_test, y_test)"
    assert rows(shared) == (Rows.SHARE, Rows.SAME | Rows.ORDERED)
    assert rows("make(x, y), make(x_test[part], y_test[part])", PLAIN) == (Rows.SAME, Rows.SHARE)


def test_what_a_function_reads_itself_is_not_what_its_call_is_given() -> None:
    assert rows("make(x[part], y[part]), make(x_test, y_test)", READS)[0] & Rows.SAME
