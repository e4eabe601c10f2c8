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


SHUFFLED = ".shuffle(64)"
STATISTICS = {
    "a largest value in a map": of_slices(
        "(x, y)", before="    top = x.max()\n", after=f".map(lambda a, b: (a / top, b)){SHUFFLED}"
    ),
    "a layer that adapts": of_slices(
        "(x, y)", before="    layer.adapt(x)\n", after=f".map(lambda a, b: (layer(a), b)){SHUFFLED}"
    ).replace("def make", "layer = tf.keras.layers.Normalization()\n\n\ndef make", 1),
    "a vocabulary": of_slices("(x, y)", before="    print(sorted(set(y)))\n", after=SHUFFLED),
    "a number of classes": of_slices(
        "(x, y)", before="    global classes\n    classes = y.max() + 1\n", after=SHUFFLED
    ),
    "a number by the length": of_slices(
        "(x, y)", before="    print(len(x) // 20)\n", after=SHUFFLED
    ),
    "a mean that is handed over": of_slices("(x - y, x)", after=SHUFFLED),
    "as wide as its classes": of_slices(
        "(x, tf.keras.utils.to_categorical(y))", after=SHUFFLED
    ),
    "a column of the caller's own table": of_slices(
        "(dict(given), labels)", "table", "    labels = given.pop('target')\n", SHUFFLED
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATISTICS)
def test_what_is_reckoned_from_all_rows_is_not_reckoned_from_a_share(name: str) -> None:
    found = migrate(HEAD + STATISTICS[name])
    assert not found.blocked
    assert "[shard]" not in found.after
    assert ".shard(" in found.after


DRAWS = """\
def rows():
    order = list(range(64))
    random.shuffle(order)
    for i in order:
        yield np.float32([i])


def make():
    return tf.data.Dataset.from_generator(rows, tf.float32)


import random
train, test = make().batch(8), make().batch(8)
"""
OWN_ORDERS = {
    "a new order inside of one pass": of_slices("(x - x.mean(), y)", after=".shuffle(9).repeat(3)"),
    "a generator that shuffles": DRAWS + FIT,
    "whichever is ready first": of_slices(
        "(x - x.mean(), y)", after=".shuffle(9).map(f, num_parallel_calls=2, deterministic=fixed)"
    ).replace("def make", "fixed = False\n\n\ndef f(a, b):\n    return a, b\n\n\ndef make", 1),
}


@pytest.mark.parametrize("name", OWN_ORDERS)
def test_an_order_that_no_seed_makes_the_same_is_dealt_out_to_nobody(name: str) -> None:
    text = HEAD + OWN_ORDERS[name].replace("fit(train)", "fit(train, steps_per_epoch=8)")
    found = migrate(text)
    assert [each.code for each in found.blocked][:1] == ["J08"]
    assert found.after == text


def test_a_generator_that_shuffles_where_it_is_told_to_may_give_all_the_same() -> None:
    text = (
        "def batches(x, y, shuffle=False):\n    order = np.arange(len(x))\n    while True:\n"
        "        if shuffle:\n            np.random.shuffle(order)\n"
        "        for i in range(0, len(x), 8):\n"
        "            yield x[order[i : i + 8]], y[order[i : i + 8]]\n\n\n"
        + MODEL
        + "model.fit(batches(x, y), steps_per_epoch=len(x) // 8)\n"
    )
    found = migrate(HEAD + text)
    assert found.blocked or "share(" in found.after


def test_what_flows_for_tests_as_well_is_not_cut_where_it_flows() -> None:
    text = (
        "from tensorflow.keras.preprocessing.image import ImageDataGenerator\n\n\n"
        "def flow(x, y, training=False):\n"
        "    return ImageDataGenerator(rescale=0.1).flow(x, y, shuffle=training)\n\n\n"
        "train, test = flow(x, y, True), flow(x_test, y_test)\n" + FIT
    )
    assert "shard" not in migrate(HEAD + text).after


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
