"""What is certainly an array, and how long it is."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.array_lengths import is_plain, length_of
from distify.codemods.facts.data.arrays import is_array

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
