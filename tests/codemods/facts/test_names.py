"""One canonical name for every spelling of an import."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts

ADAM = "tensorflow.keras.optimizers.Adam"


def name_of_last(text: str) -> str | None:
    """The canonical name of the expression in the last line."""
    facts = Facts.of(text)
    last = facts.module.body[-1]
    assert isinstance(last, ast.Expr)
    return facts.name(last.value)


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow\ntensorflow.keras.optimizers.Adam",
        "import tensorflow as tf\ntf.keras.optimizers.Adam",
        "import tensorflow as tf\ntf.optimizers.Adam",
        "import tensorflow.compat.v2 as tf\ntf.keras.optimizers.Adam",
        "import tensorflow.keras as k\nk.optimizers.Adam",
        "import tensorflow.keras.optimizers as o\no.Adam",
        "from tensorflow import keras\nkeras.optimizers.Adam",
        "from tensorflow.keras import optimizers as o\no.Adam",
        "from tensorflow.keras.optimizers import Adam as A\nA",
        "from tensorflow.keras.optimizers import *\nAdam",
        "from keras.models import *\nfrom keras.layers import *\n"
        "from keras.optimizers import *\nfrom utils import *\nAdam",
        "import keras\nkeras.optimizers.Adam",
        "from keras.optimizers import Adam\nAdam",
        "import tf_keras as keras\nkeras.optimizers.Adam",
        "from tensorflow.python.keras.optimizer_v2.adam import Adam\nAdam",
        "import tensorflow as tf\nkeras = tf.keras\nkeras.optimizers.Adam",
        "import tensorflow as tf\nAdam = tf.keras.optimizers.Adam\nAdam",
        "try:\n    import tensorflow.compat.v2 as tf\nexcept ImportError:\n    import tensorflow as tf\n"
        "tf.keras.optimizers.Adam",
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n"
        "tf.keras.optimizers.Adam",
        "import tensorflow as tf\nbox = {'a': tf.keras.optimizers}\nbox['a'].Adam",
        "import tensorflow as tf\nfor tf in []: pass\ntf.keras.optimizers.Adam",
        "exec(text)\nimport tensorflow as tf\ntf.keras.optimizers.Adam",
    ],
)
def test_every_spelling_gives_one_name(text: str) -> None:
    assert name_of_last(text) == ADAM


@pytest.mark.parametrize(
    "text",
    [
        "tf.keras.optimizers.Adam",  # never imported
        "def tf(): pass\ntf.keras.optimizers.Adam",
        "import tensorflow as tf\ntf = object()\ntf.keras.optimizers.Adam",
        "import tensorflow as tf\nfor tf in given: pass\ntf.keras.optimizers.Adam",
        "import tensorflow as tf\nimport torch as tf\ntf.keras.optimizers.Adam",
        "from .optimizers import Adam\nAdam",
        "tf = None\ntf.keras.optimizers.Adam",
        "from tensorflow import keras\nfrom mine import keras\nkeras.optimizers.Adam",
        "import tensorflow as tf\nclass C: keras = tf.keras\nkeras.optimizers.Adam",
        "x = x\nx",
    ],
)
def test_what_only_looks_like_it_has_another_name(text: str) -> None:
    assert name_of_last(text) != ADAM


def test_scopes_decide() -> None:
    text = "import tensorflow as tf\ndef f(tf):\n    return tf.function\ndef g():\n    return tf.function\n"
    facts = Facts.of(text)
    inner = [node for node in ast.walk(facts.module) if isinstance(node, ast.Attribute)]
    assert [facts.name(node) for node in inner] == [None, "tensorflow.function"]


def test_the_old_modules_of_keras_utils_are_one() -> None:
    expected = "tensorflow.keras.utils.to_categorical"
    assert name_of_last("from keras.utils.np_utils import to_categorical as t\nt") == expected
    assert name_of_last("from keras.utils import np_utils\nnp_utils.to_categorical") == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tf.model = tf.keras.Sequential()\ntf.model.fit", None),
        ("tf.model = tf.keras.Sequential()\ntf.keras.Sequential.fit", "tensorflow.keras.Sequential.fit"),
        ("t = tf\ntf.model = tf.keras.Sequential()\nt.model.fit", None),
        ("tf.load = lambda path: path\ntf.load", "tensorflow.load"),
        ("tf.Session = tf.compat.v1.Session\ntf.Session", "tensorflow.Session"),
        ("import numpy as np\nimport functools\nnp.load = functools.partial(np.load)\nnp.load", "numpy.load"),
    ],
)  # fmt: skip
def test_what_a_program_keeps_in_a_module_is_its_own(text: str, name: str | None) -> None:
    assert name_of_last("import tensorflow as tf\n" + text) == name


def test_horovod_that_may_be_missing_is_asked_for() -> None:
    text = (
        "try:\n    import horovod.tensorflow as hvd\nexcept ImportError:\n    hvd = None\nhvd.rank"
    )
    assert name_of_last(text) is None


def test_a_parameter_has_the_name_of_what_every_call_gives_it() -> None:
    head = "import tensorflow as tf\ndef f(make):\n    return make()\nf(tf.Variable)\n"
    make = "make()"
    for further, name in (("", "tensorflow.Variable"), ("f(print)\n", None)):
        facts = Facts.of(head + further)
        (call,) = (each for each in facts.index.calls if ast.unparse(each) == make)
        assert facts.name(call.func) == name


def test_modules_beside_a_file_and_annotations_are_named() -> None:
    text = "from . import settings\nimport tensorflow as tf\ndef f() -> tf.Tensor:\n    settings.A"
    facts = Facts.of(text)
    names = {facts.name(node) for node in facts.index.nodes(ast.Attribute)}
    assert names == {"tensorflow.Tensor", ".settings.A"}


def test_what_is_put_into_globals_takes_no_name_from_an_import() -> None:
    facts = Facts.of(
        "import tensorflow as tf\ndef g():\n    tf.add(1, 2)\nglobals()[key] = g\nglobals()[key] = [1]\n"
    )
    (call,) = (each for each in facts.index.calls if ast.unparse(each) == "tf.add(1, 2)")
    assert facts.name(call.func) == "tensorflow.add"
