"""Which arrays have equally many rows, by what makes them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.row_numbers import as_many, rows_of

HEAD = """\
import numpy as np
import tensorflow as tf
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split

x = np.random.rand(100, 3)
n = 50
rng = np.random.RandomState(0)
"""


def last(text: str) -> tuple[Facts, list[ast.expr]]:
    facts = Facts.of(HEAD + text)
    statement = facts.module.body[-1]
    assert isinstance(statement, ast.Expr)
    value = statement.value
    return facts, list(value.elts) if isinstance(value, ast.Tuple) else [value]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("[1.0, 2.0, 3.0]", 3),
        ("tf.constant([[1.0], [2.0]])", 2),
        ("np.array([1, 2], dtype='float32') * 2 + 1", 2),
        ("x", 100),
        ("x.sum(axis=1)", 100),
        ("x.sum()", None),
        ("x.sum(axis=0)", None),
        ("x[:, :2]", 100),
        ("x[:50]", None),
        ("x @ np.ones((3, 1))", 100),
        ("2 * x + rng.randn(*x.shape).astype('float32') * 0.3", 100),
        ("x + np.ones((3,))", None),
        ("np.zeros((n, 3))", 50),
        ("np.linspace(-1, 1, 200)", 200),
        ("tf.random.normal([n, 2])", 50),
        ("rng.normal(size=(7, 2))", 7),
        ("np.random.randint(0, 3, len(x))", 100),
        ("tf.one_hot(np.random.randint(0, 3, n), 3)", 50),
        ("np.linspace(0, 1, 9).reshape(-1, 1)", 9),  # it is so written for what has one axis
        ("x.reshape(len(x), -1)", 100),
        ("(x > 0.5).astype('float32')", 100),
        ("3.0", 0),
        ("np.float32(3)", 0),
        ("tf.constant(3.0)", 0),
        ("x.T", None),
        ("np.expand_dims(x, 1)", 100),
        ("np.expand_dims(x, axis=-1)", 100),
        ("np.expand_dims(x, 0)", None),
        ("tf.squeeze(x, axis=0)", None),
        ("tf.squeeze(x)", 100),
        ("tf.one_hot(np.random.randint(0, 3, n), 3, axis=0)", None),
        ("np.random.randn()", 0),
        ("tf.compat.v1.random_normal([n, 1])", 50),
        ("unknown(x)", None),
    ],
)
def test_how_many_rows_an_array_has(text: str, rows: int | None) -> None:
    facts, (array,) = last(text)
    found = rows_of(facts, array)
    assert (found if isinstance(found, int) else None) == rows


@pytest.mark.parametrize(
    "text",
    [
        "a, b = make_moons(9)\na, b",
        "(a, b), (c, d) = tf.keras.datasets.mnist.load_data()\na / 255.0, b",
        "a, b = make_moons(9)\nu, v, s, t = train_test_split(a, b)\nu, s",
        "u, v, s, t = train_test_split(x, x)\ntf.cast(v, tf.float32), tf.one_hot(t, 2)",
        "t = np.loadtxt('t.csv')\nt[:, :-1], t[:, [-1]]",
        "x, x * 2",
        "x",
    ],
)
def test_arrays_of_equally_many_rows(text: str) -> None:
    assert as_many(*last(text))


@pytest.mark.parametrize(
    "text",
    [
        "(a, b), (c, d) = tf.keras.datasets.mnist.load_data()\na, d",
        "u, v, s, t = train_test_split(x, x)\nu, t",
        "a, b = unknown()\na, b",
        "t = np.loadtxt('t.csv')\nt[1:], t[:, [-1]]",
        "def load(path):\n    return np.loadtxt(path)\n\n\na, b = load('a'), load('b')\na, b",
        "x, np.ones((3, 3))",
        "np.ones((1, 3))",
        "tf.constant(3.0)",
        "[1.0], [2.0]",
    ],
)
def test_arrays_of_which_nobody_knows_that(text: str) -> None:
    assert not as_many(*last(text))
