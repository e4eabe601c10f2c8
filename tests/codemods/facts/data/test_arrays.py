"""What is an array, how long it is, and how many rows and axes it has."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.arrays import (
    as_many,
    axes_of,
    is_array,
    is_plain,
    length_of,
    rows_of,
)

# -- arrays --------------------------------------------------------------------------------------
# What is certainly an array, and how long it is.

HEAD = """\
import jax
import numpy as np
import pandas as pd
import sklearn
import tensorflow as tf
from sklearn import datasets, decomposition, preprocessing
from tensorflow import keras

x = np.ones([9, 2])
table = pd.read_csv("a.csv")
archive = np.load("a.npz")
"""


def last(text: str) -> tuple[Facts, ast.expr]:
    """The facts of a text and the expression in its last line."""
    facts = Facts.of(HEAD + text)
    statement = facts.module.body[-1]
    assert isinstance(statement, ast.Expr)
    return facts, statement.value


TENSORS = [
    "constant",
    "convert_to_tensor",
    "cast",
    "reshape",
    "one_hot",
    "ones",
    "zeros",
    "range",
    "linspace",
    "eye",
    "expand_dims",
    "concat",
    "stack",
    "squeeze",
    "transpose",
    "fill",
    "tile",
    "pad",
    "gather",
    "identity",
    "Variable",
    "divide",
    "multiply",
    "add",
    "subtract",
    "square",
    "zeros_like",
    "ones_like",
    "repeat",
    "reverse",
    "clip_by_value",
    "sort",
    "argsort",
]
SCALERS = [
    "StandardScaler",
    "MinMaxScaler",
    "MaxAbsScaler",
    "RobustScaler",
    "Normalizer",
    "LabelEncoder",
    "LabelBinarizer",
    "QuantileTransformer",
    "PowerTransformer",
]

ARRAYS = [
    "np.zeros(3)",
    "jax.numpy.zeros(3)",
    "pd.DataFrame(a)",
    *(f"tf.{name}(a)" for name in TENSORS),
    *(f"tf.{module}.anything(a)" for module in ("random", "math", "image", "linalg", "nn")),
    *(f"keras.utils.{name}(a)" for name in ("to_categorical", "normalize", "pad_sequences")),
    "keras.preprocessing.sequence.pad_sequences(a)",
    "keras.preprocessing.pad_sequences(a)",
    *(f"preprocessing.{name}().fit_transform(a)" for name in SCALERS),
    "scaler = preprocessing.StandardScaler()\nscaler.transform(a)",
    "decomposition.PCA().fit_transform(a)",
    *(f"np.random.{name}(1).normal()" for name in ("default_rng", "RandomState", "Generator")),
    *(f"a.{name}()" for name in ("numpy", "toarray", "todense", "to_numpy")),
    *(f"x.{name}" for name in ("values", "T", "data", "real", "imag", "iloc", "loc")),
    "table.values",
    "table.iloc[:9]",
    "datasets.load_digits().data",
    "datasets.load_digits().target",
    "datasets.load_digits().images",
    "digits = datasets.load_digits()\ndigits.data",
    "-x",
    "x > 1",
    "a + x",
    "x[1:]",
    "x.astype('float32')",
    "archive['a']",
    "parts = {'a': x, 'b': x / 2}\nparts['a']",
    "parts = {'a': x, 'b': [x]}\nparts['a']",
    "y = None\nif a:\n    y = x\ny",
    "y = x\ny /= a\ny",
    "(p, q), r = keras.datasets.mnist.load_data()\nq",
    "p, q = sklearn.utils.shuffle(a, b)\np",
    "p, q = datasets.load_iris(return_X_y=True)\np",
    "p, q = tf.split(a, 2)\np",
    "p, q = tf.unstack(a)\np",
    "p, q = np.split(a, 2)\np",
    # A method that only a class below gives a body: what the empty one returns is never taken apart.
    "class A:\n  def f(self):\n    pass\n  def g(self):\n    p, q = self.f()\n    return p\n"
    "class B(A):\n  def f(self):\n    return x, [x]\nB().g()",
    "for k, v in archive.items():\n    pass\nv",
    *(f"from data import y\ny.{name}\ny" for name in ("shape", "dtype", "ndim")),
    *(f"from data import y\ny.{name}(a)\ny" for name in ("reshape", "astype")),
]


@pytest.mark.parametrize("text", ARRAYS)
def test_an_array(text: str) -> None:
    assert is_array(*last(text))


NOT_ARRAYS = [
    "a",
    "1",
    "'a'",
    "[x, x]",
    "{'a': x}",
    *(f"np.{name}(x)" for name in ("meshgrid", "split", "array_split", "hsplit", "vsplit", "dsplit")),
    *(f"np.{name}(x)" for name in ("nonzero", "where", "unique")),
    "tf.unstack(x)",
    "tf.data.Dataset.range(9)",
    "tf.io.read_file(a)",
    "tf.constants(a)",
    "keras.utils.get_file(a)",
    "keras.utils.normalized(a)",
    "datasets.load_digits()",
    "sklearn.model_selection.train_test_split(x)",
    "keras.datasets.mnist.load_data()",
    "preprocessing.OneHotEncoder().fit_transform(a)",  # sparse
    "preprocessing.StandardScaler().fit(a)",
    "a.transform(b)",
    *(f"x.{name}()" for name in ("tolist", "to_list", "to_dict", "items", "groupby")),
    *(f"table.{name}()" for name in ("iterrows", "itertuples", "keys")),
    "x.flags",
    "a.values",
    "a + 1",
    "parts = {'a': x, 'b': [x]}\nparts['b']",
    "parts = {'a': x, 'b': [x]}\nparts[a]",
    "parts = {}\nparts['a']",
    "y = x\nif a:\n    y = [x]\ny",
    "y = a\ny += b\ny",
    "p, q = load(a)\np",
    "p, q = np_split(a)\np",
    "for k, v in a.items():\n    pass\nv",
    "lambda: x",
    "from data import y\ny.size\ny",
    "from data import y, z\nz.shape\ny",
    "def f(y):\n    y.shape\n\n\ndef g(y):\n    pass\n\n\nfrom data import y\ny",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_ARRAYS)
def test_what_may_be_no_array(text: str) -> None:
    assert not is_array(*last(text))


def of_last_ask(text: str) -> tuple[Facts, ast.expr]:
    facts = Facts.of(HEAD + text)
    asked = [call for call in facts.index.calls if getattr(call.func, "id", "") == "ask"]
    return facts, max(asked, key=lambda call: call.lineno).args[0]


def test_an_attribute_is_an_array_by_its_use_in_the_same_class_only() -> None:
    text = "class A:\n    def f(self):\n        {}\n        ask(self.y)\n"
    assert is_array(*of_last_ask(text.format("self.y.shape")))
    assert not is_array(*of_last_ask(text.format("self.z.shape")))
    assert not is_array(*of_last_ask(text.format("y.shape")))
    other = "class B:\n    def f(self):\n        self.y.shape\n\n\n"
    assert not is_array(*of_last_ask(other + text.format("pass")))


LENGTHS = {
    "x": "x",
    "self.x": "self.x",
    "x[1:]": "x[1:]",
    "x[a + 1:-b]": "x[a + 1:-b]",
    "x / 255": "x",
    "255 - x": "x",
    "np.array(x)": "x",
    "np.asarray(x)": "x",
    "tf.constant(x)": "x",
    "tf.convert_to_tensor(x)": "x",
    "tf.cast(x, 'float32')": "x",
    "keras.utils.to_categorical(x)": "x",
    "keras.preprocessing.sequence.pad_sequences(x)": "x",
    "x.astype('float32')": "x",
    "x[:9].astype('float32')": "x[:9]",
    "x[f(1):]": None,
    "f(x)": None,
    "f().x": None,
    "a / 255": None,
    "np.array(f(x))": None,
    "np.array()": None,
    "np.zeros(x)": None,
    "x.reshape(x)": None,
    "f(x) / 255": None,
    "(lambda: x)": None,
    "[x]": None,
}


@pytest.mark.parametrize("text", LENGTHS)
def test_what_is_as_long(text: str) -> None:
    found = length_of(*last(text))
    assert (found and ast.unparse(found)) == LENGTHS[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", True),
        ("a.b.c", True),
        ("a[0]", True),
        ("a[-1:b + 1]", True),
        ("a[not b]", True),
        ("1", False),
        ("a + b", False),
        ("a()", False),
        ("a[b()]", False),
        ("a[b if c else d]", False),
        ("(await a).b", False),
    ],
)
def test_what_may_be_evaluated_once_more(text: str, expected: bool) -> None:
    found = ast.parse(f"async def f():\n    {text}").body[0].body[0].value  # type: ignore[attr-defined]
    assert is_plain(found) is expected


def test_a_pipeline_in_many_ifs_is_no_array_at_no_depth_of_the_stack() -> None:
    steps = "".join(f"if {n} in a:\n    ds = ds.map(f)\n" for n in range(400))
    facts = Facts.of(f"import tensorflow as tf\nds = tf.data.Dataset.range(9)\n{steps}ask(ds)\n")
    asked = facts.module.body[-1].value.args[0]  # type: ignore[attr-defined]
    assert not is_array(facts, asked)


@pytest.mark.parametrize("step", ["x / 255", "x[1:]", "-x", "x if a else x + 1"])
def test_an_array_on_many_lines_is_one_at_no_depth_of_the_stack(step: str) -> None:
    assert is_array(*last(f"x = {step}\n" * 600 + "x"))
    assert not is_array(*last("x = [a]\n" + f"x = {step}\n" * 600 + "x"))


# -- row numbers ---------------------------------------------------------------------------------
# Which arrays have equally many rows, by what makes them.

HEAD_OF_ROW_NUMBERS = """\
import numpy as np
import tensorflow as tf
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split

x = np.random.rand(100, 3)
n = 50
rng = np.random.RandomState(0)
"""


def last_of_row_numbers(text: str) -> tuple[Facts, list[ast.expr]]:
    facts = Facts.of(HEAD_OF_ROW_NUMBERS + text)
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
    facts, (array,) = last_of_row_numbers(text)
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
    assert as_many(*last_of_row_numbers(text))


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
    assert not as_many(*last_of_row_numbers(text))


# -- axis numbers --------------------------------------------------------------------------------
# How many axes arrays have, by what makes them.


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("3.0", 0),
        ("[1.0, 2.0]", 1),
        ("np.array([[1.0], [2.0]])", 2),
        ("[]", None),
        ("x", 2),
        ("-x * 2 + np.ones(3)", 2),
        ("x > 0.5", 2),
        ("x @ unknown", None),
        ("x[:, 0]", 1),
        ("x[:, :2]", 2),
        ("x[:50]", 2),
        ("x[:, None]", 3),
        ("x[..., np.newaxis]", None),
        ("x[order]", None),
        ("x.sum(axis=1)", 1),
        ("x.sum(1)", 1),
        ("x.sum(axis=1, keepdims=True)", 2),
        ("x.sum(axis=1, keepdims=keep)", None),
        ("x.sum()", None),
        ("x.astype('float32')", 2),
        ("x.reshape(-1, 1, 1)", 3),
        ("x.reshape((-1, 1))", 2),
        ("x.reshape(shape)", None),
        ("x.dot(x)", None),
        ("np.linspace(0, 1, 9)", 1),
        ("np.zeros(n)", 1),
        ("np.zeros(len(x))", 1),
        ("np.zeros((n, *more))", None),
        ("np.zeros(shape())", None),
        ("np.random.rand(*x.shape)", None),
        ("tf.one_hot(np.random.randint(0, 3, n), 3)", 2),
        ("np.expand_dims(x[:, 0], 1)", 2),
        ("np.sin(x)", 2),
        ("unknown(x)", None),
        ("make_moons(9)[1]", None),
    ],
)
def test_the_number_of_axes(text: str, axes: int | None) -> None:
    facts, values = last_of_row_numbers(text)
    assert axes_of(facts, values[0]) == axes


@pytest.mark.parametrize(
    ("made", "axes"),
    [
        ("a, b = make_moons(9)", (2, 1)),
        ("(a, b), _ = tf.keras.datasets.mnist.load_data()", (None, 1)),
        ("(a, b), _ = tf.keras.datasets.cifar10.load_data()", (None, 2)),
        ("a, _, b, _ = train_test_split(x, x[:, 0])", (2, 1)),
        ("a, b = unknown()", (None, None)),
    ],
)
def test_what_is_unpacked(made: str, axes: tuple[int | None, int | None]) -> None:
    facts, values = last_of_row_numbers(f"{made}\na, b")
    assert tuple(axes_of(facts, each) for each in values) == axes
