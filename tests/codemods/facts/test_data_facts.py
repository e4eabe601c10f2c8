"""What is known about data: which bindings reach a use, what is an array, how pipelines run."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.arrays import is_array
from distify.codemods.facts.data.pipeline_shares import shares_of
from distify.codemods.facts.data.pipelines import Pipelines, is_endless
from distify.codemods.facts.data.uses import Use
from distify.codemods.facts.training.fits import hidden

HEAD = """\
import numpy as np
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

(x, y), (a, b) = tf.keras.datasets.mnist.load_data()
"""


def last_argument(text: str) -> tuple[Facts, ast.expr]:
    """The facts of a text and the argument of its last call `ask(…)`."""
    facts = Facts.of(HEAD + text)
    calls = [c for c in facts.index.calls if getattr(c.func, "id", "") == "ask"]
    return facts, calls[-1].args[0]


ARRAYS = [
    "ask(x)",
    "ask(x / 255)",
    "x = x.reshape(-1, 9)\nask(x)",
    "x /= 255\nask(x)",
    "ask(x[:9])",
    "ask(np.array([1]))",
    "ask(tf.ones(3))",
    "rng = np.random.default_rng(0)\nask(rng.normal(size=3))",
    "p, q = train_test_split(x)\nask(q)",
    "ask(StandardScaler().fit_transform(x))",
    "ask(pd.read_csv('a').drop('b').values)",
    "t = [[1], [2, 3]]\nt = tf.keras.utils.pad_sequences(t)\nask(t)",
    "d = {'k': x}\nask(d['k'])",
    "def load():\n    return x, y\n\n\np, q = load()\nask(p)",
    "def use(v):\n    ask(v)\n\n\nuse(x)\nuse(y)",
    "from data import z\n\nprint(z.shape)\nask(z)",
    "parts = np.split(x, 2)[0]\nask(np.load('a')['k'])",
]


@pytest.mark.parametrize("text", ARRAYS)
def test_an_array(text: str) -> None:
    assert is_array(*last_argument(text))


NOT_ARRAYS = [
    "ask([x, y])",
    "ask({'k': x})",
    "ask(np.split(x, 2))",
    "ask(tf.data.Dataset.range(9))",
    "ask(tf.data.Dataset.from_tensor_slices(x).batch(2))",
    "ds = tf.data.Dataset.range(9)\nds = ds.batch(2)\nask(ds)",
    "from data import z\n\nask(z)",
    "def use(v):\n    ask(v)",
    "def use(v):\n    ask(v)\n\n\nuse(x)\nuse([x])",
    "ask(tf.keras.datasets.mnist.load_data())",
    "ask(x.tolist())",
    "def gen():\n    yield x\n\n\nask(gen())",
]


@pytest.mark.parametrize("text", NOT_ARRAYS)
def test_what_may_be_no_array(text: str) -> None:
    assert not is_array(*last_argument(text))


REACHING = {
    "v = 1\nv = 2\nask(v)": [2],
    "v = 1\nif x:\n    v = 2\nask(v)": [1, 2],
    "v = 1\nif x:\n    v = 2\nelse:\n    v = 3\nask(v)": [2, 3],
    "v = 1\nfor i in x:\n    ask(v)\n    v = 2": [1, 2],
    "v = 1\n\n\ndef use():\n    ask(v)\n\n\nv = 2\nuse()": [2],
    "v = 1\n\n\ndef use():\n    ask(v)\n\n\nuse()\nv = 2": [1],
    "v = 1\ntry:\n    v = 2\nexcept OSError:\n    pass\nask(v)": [1, 2],
}


@pytest.mark.parametrize(("text", "values"), REACHING.items())
def test_the_bindings_that_reach_a_use(text: str, values: list[int]) -> None:
    facts, name = last_argument(text)
    assert isinstance(name, ast.Name)
    found = [b.value.value for b in facts.reaching(name) if isinstance(b.value, ast.Constant)]
    assert sorted(found) == values


WAYS = {
    "ask(tf.data.Dataset.range(9).batch(2))": [["range", "batch"]],
    "d = tf.data.Dataset.range(9)\nd = d.batch(2)\nask(d)": [["range", "batch"]],
    "d = tf.data.Dataset.range(9)\nif x:\n    d = d.take(2)\nask(d)": [
        ["range", "take"],
        ["range"],
    ],
    "def make():\n    return tf.data.Dataset.range(9), 1\n\n\nd, n = make()\nask(d)": [["range"]],
    "class Shares:\n    def __init__(self):\n        self.d = tf.data.Dataset.range(9)\n\n"
    "    def use(self):\n        ask(self.d)": [["range"]],
    "ask(tf.data.Dataset.range(9).some_day())": [],
    "from data import d\n\nask(d.batch(2))": [],
    "def use(d):\n    ask(d)": [],
    "d = tf.data.Dataset.range(9)\nfor i in x:\n    d = d.batch(2)\nask(d)": [],
}


@pytest.mark.parametrize(("text", "ways"), WAYS.items())
def test_the_ways_to_a_dataset(text: str, ways: list[list[str]]) -> None:
    facts, expr = last_argument(text)
    found = Pipelines(facts).ways(expr)
    assert [[stage.method for stage in way if stage.method] for way in found] == ways


@pytest.mark.parametrize(
    ("call", "endless"),
    [
        ("repeat()", True),
        ("repeat(None)", True),
        ("repeat(count=-1)", True),
        ("repeat(3)", False),
        ("repeat(n)", False),
        ("batch(3)", False),
    ],
)
def test_what_never_ends(call: str, endless: bool) -> None:
    facts, expr = last_argument(f"ask(tf.data.Dataset.range(9).{call})")
    assert [is_endless(way) for way in Pipelines(facts).ways(expr)] == [endless]


USES = {
    "model.fit(d)": Use.TRAINING,
    "model.fit(x, validation_data=d)": Use.VALIDATION,
    "model.evaluate(d)": Use.OTHER,
    "tf.keras.layers.Normalization().adapt(d)": Use.OTHER,
    "print(len(d))": Use.LENGTH,
    "n = d.cardinality()": Use.LENGTH,
    "first = next(iter(d))": Use.PEEK,
    "print(d.element_spec)": Use.PEEK,
    "for e in d:\n    print(e)": Use.OTHER,
    "for e in d:\n    model.train_on_batch(e)": Use.TRAINING,
}


@pytest.mark.parametrize(("text", "use"), USES.items())
def test_what_a_dataset_is_used_for(text: str, use: Use) -> None:
    head = "d = tf.data.Dataset.range(9)\nmodel = tf.keras.Sequential()\n"
    ends = shares_of(Facts.of(HEAD + head + text)).ends
    assert [end.use for end in ends] == [use]


HIDDEN = {
    "m.fit(**{'a': 1})": {"a"},
    "o = {'a': 1}\nm.fit(**o)": {"a"},
    "o = dict(a=1)\nm.fit(**o)": {"a"},
    "o = {'a': 1}\no['b'] = 2\nm.fit(**o)": {"a", "b"},
    "m.fit(**o)": {"*"},
    "m.fit(*o)": {"*"},
    "m.fit(1, a=2)": set(),
}


@pytest.mark.parametrize(("text", "names"), HIDDEN.items())
def test_names_that_stars_may_hide(text: str, names: set[str]) -> None:
    facts = Facts.of(text)
    call = next(c for c in facts.index.calls if getattr(c.func, "attr", "") == "fit")
    assert hidden(facts, call) == names
