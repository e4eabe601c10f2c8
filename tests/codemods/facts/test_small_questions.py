"""Questions about one expression of a program that a rule or a restriction hangs on."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.agreement.averages import value_of_its_own
from distify.codemods.facts.agreement.orders_by_chance import _row
from distify.codemods.facts.own_values import draws
from distify.codemods.facts.roles import Role
from distify.codemods.facts.taken_methods import taken_methods
from distify.codemods.facts.training import fits
from distify.codemods.facts.training.training_loops import is_of_files, told_counts
from distify.codemods.library.draws import SAMPLE
from last_value import last_value

HEAD = """\
import json
import operator
import os
import numpy as np
import tensorflow as tf
from elsewhere import flag

"""


@pytest.mark.parametrize(
    ("rng", "draws_own"),
    [
        ("np.random.default_rng()", True),
        ("np.random.default_rng(0)", False),
        ("np.random.default_rng(None)", True),
        ("np.random.default_rng() if flag else np.random.default_rng(0)", True),
        ("np.random.default_rng(0) if flag else np.random.default_rng()", True),
        ("np.random.default_rng() if flag else np.random.RandomState()", True),
        ("np.random.default_rng(0) if flag else np.random.default_rng(1)", False),
    ],
)
def test_a_generator_that_may_be_unseeded_draws_for_each_worker(rng: str, draws_own: bool) -> None:
    assert draws(*last_value(HEAD + f"rng = {rng}\nrng.normal()")) is draws_own


@pytest.mark.parametrize(
    ("call", "is_drawn"),
    [
        ("table.sample(frac=1)", True),
        ("table.sample(axis=0, frac=1.0)", True),
        ("table.sample(n=3)", False),
        ("table.sort(frac=1)", False),
        ("table.sample(**options)", False),
    ],
)
def test_a_table_is_known_by_the_share_that_it_samples(call: str, is_drawn: bool) -> None:
    facts, node = last_value(HEAD + f"options = {{}}\ntable = flag()\n{call}")
    assert isinstance(node, ast.Call)
    assert (_row(facts, node) == SAMPLE) is is_drawn


@pytest.mark.parametrize(
    ("test", "value"),
    [
        ("mean.result() < best", "mean.result()"),
        ("np.isnan(mean.result())", "mean.result()"),
        ("np.isinf(mean.result())", "mean.result()"),
        ("tf.math.is_nan(mean.result())", "mean.result()"),
        ("not np.isfinite(mean.result())", "mean.result()"),
        ("np.ceil(mean.result())", None),
        ("mean.result() == best", None),
    ],
)
def test_the_value_that_the_workers_would_have_to_average(test: str, value: str | None) -> None:
    text = f"""\
mean = tf.keras.metrics.Mean()
w, opt = tf.Variable(1.0), tf.keras.optimizers.SGD(0.1)
best = 9.0
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = w * x
    opt.apply_gradients([(tape.gradient(loss, w), w)])
    mean(loss)
    if {test}:
        best = 1.0
"""
    facts = Facts.of(HEAD + text)
    (branch,) = facts.index.nodes(ast.If)
    assert isinstance(branch, ast.If)
    found = value_of_its_own(facts, branch.test)
    assert (None if found is None else ast.unparse(found)) == value


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("run = model.fit", [("fit", "model")]),
        ("run = getattr(model, 'fit')", [("fit", "model")]),
        ("run = getattr(model, 'fit', None)", [("fit", "model")]),
        ("run = operator.methodcaller('fit', data)", [("fit", None)]),
        ("run = operator.attrgetter('fit')", [("fit", None)]),
        ("run = getattr(model, 'name', 'fit')", []),
        ("run = operator.methodcaller('name', 'fit')", []),
        ("model.fit(data)", []),
    ],
)
def test_methods_that_are_taken_as_values(line: str, taken: list[tuple[str, str | None]]) -> None:
    found = taken_methods(Facts.of(HEAD + line + "\n"), ["fit"])
    assert [(t.method, None if t.owner is None else ast.unparse(t.owner)) for t in found] == taken


@pytest.mark.parametrize(
    ("number", "is_read"),
    [
        ("json.load(open('a'))['epoch']", True),
        ("int(open('a').read())", True),
        ("len(os.listdir('a'))", True),
        ("len(np.load('a.npy'))", False),
        ("len(data.reshape(3))", False),
        ("np.load('a.npy').shape[0]", False),
        ("3", False),
        ("json.load(open('a'))['epoch'] + len(data.astype('int'))", True),
    ],
)
def test_a_number_that_files_say_is_told_from_a_length(number: str, is_read: bool) -> None:
    assert is_of_files(*last_value(HEAD + f"data = flag()\n{number}")) is is_read


COUNTED = """\
w, opt = tf.Variable(1.0), tf.keras.optimizers.SGD(0.1)
start = int(tf.train.latest_checkpoint("m").split("-")[1])
{}
for epoch in range(start, 50):
    with tf.GradientTape() as tape:
        loss = w * epoch
    opt.apply_gradients([(tape.gradient(loss, w), w)])
"""


def test_the_count_of_a_loop_that_files_say_is_told_by_rank_0() -> None:
    found = told_counts(Facts.of(HEAD + COUNTED.format("")))
    assert [[ast.unparse(n) for n in numbers] for numbers in found.values()] == [["start"]]
    lines = COUNTED.format("@tf.function\ndef train():").splitlines()
    inside = "\n".join(lines[:4] + ["    " + line for line in lines[4:]]) + "\ntrain()\n"
    assert told_counts(Facts.of(HEAD + inside)) == {}
    assert told_counts(Facts.of(HEAD + COUNTED.format("").replace("start, 50", "50"))) == {}


@pytest.mark.parametrize(
    ("call", "size"),
    [
        ("model.fit(x, y, 32)", "32"),
        ("model.fit(x, y, batch_size=32)", "32"),
        ("model.evaluate(x, y, 32)", "32"),
        ("model.predict(x, 32)", "32"),
        ("model.predict(x, batch_size=32)", "32"),
        ("model.fit(x, y)", None),
    ],
)
def test_the_size_of_a_batch_stands_where_the_method_has_it(call: str, size: str | None) -> None:
    facts, node = last_value(HEAD + f"model = tf.keras.Sequential([])\nx = y = flag()\n{call}")
    assert isinstance(node, ast.Call)
    found = fits.argument(facts, node, "batch_size")
    assert (None if found is None else ast.unparse(found)) == size


@pytest.mark.parametrize(
    ("call", "examples"),
    [
        ("model.fit(x, y)", ["x"]),
        ("model.fit(x=x, y=y)", ["x"]),
        ("model.fit(*pair)", ["pair"]),
        ("model.fit(**options)", ["x"]),
        ("model.fit_generator(generator=x)", ["x"]),
        ("model.fit()", []),
    ],
)
def test_what_a_model_is_fitted_to(call: str, examples: list[str]) -> None:
    text = (
        f"model = tf.keras.Sequential([])\nx = y = flag()\npair = x, y\noptions = dict(x=x)\n{call}"
    )
    facts, node = last_value(HEAD + text)
    assert isinstance(node, ast.Call)
    assert [ast.unparse(each) for each in fits.examples(facts, node)] == examples


CLASSES = """\
class Top:
    def name(self):
        return 1


class Middle(Top):
    pass


class Low(Middle):
    def name(self):
        return 2


class Lowest(Low):
    def name(self):
        return 3
"""


def test_super_means_the_next_class_that_has_the_method() -> None:
    facts = Facts.of(CLASSES)
    top, middle, low, lowest = facts.index.nodes(ast.ClassDef)
    for cls, line in ((lowest, 11), (low, 2), (middle, 2)):
        assert isinstance(cls, ast.ClassDef)
        assert isinstance(lowest, ast.ClassDef)
        found = facts.classes.next_method(cls, lowest, "name")
        assert found is not None
        assert found.lineno == line
        assert facts.classes.next_method(cls, lowest, "other") is None
    assert isinstance(top, ast.ClassDef)
    assert facts.classes.next_method(top, lowest, "name") is None


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("with tf.GradientTape() as tape:\n    pass\ntape", Role.TAPE),
        ("with tf.device('a') as model:\n    pass\nmodel", None),
        ("tf.train.Checkpoint(model=1).save", None),
    ],
)
def test_what_a_with_gives_a_name_to(text: str, role: Role | None) -> None:
    facts, node = last_value(HEAD + text)
    assert facts.role(node) is role
