"""Keras 2 where it is asked for beside TensorFlow 2.16 and later: `keras` gives way to `tf_keras`.

https://keras.io/getting_started/: `tf_keras` goes on with Keras 2, module for module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Remove
from ..facts import Facts
from ..facts.setup.import_places import direct_keras, is_needed
from ..model import Options
from ._repair import Query, put_in_place, repair


def imports(facts: Facts) -> Iterator[At]:
    """All imports of `keras`, if the new lines bind what the old ones did."""
    found = direct_keras(facts) if is_needed(facts) else []
    lines = [line(node) for node in found]
    if None in lines:
        return
    for node, new in zip(found, lines):
        yield At(node, Insert(before=f"{new}\n"))
        yield At(node, Remove())


def line(node: ast.Import | ast.ImportFrom) -> str | None:
    """The import from `tf_keras`, which binds the same names; None: that takes more than one."""
    if isinstance(node, ast.ImportFrom):
        names = ", ".join(ast.unparse(alias) for alias in node.names)
        return f"from tf_{node.module} import {names}"
    (alias, *others) = node.names
    if others:
        return None
    if alias.asname is None:  # the whole of Keras is imported with its package
        return "import tf_keras as keras"
    return f"import tf_{alias.name} as {alias.asname}"


@repair(
    code="A17",
    name="tf-keras",
    title="Import tf_keras, which is Keras 2, in the place of keras.",
    answers=("N02",),
    is_automatic=False,
    chosen=Options(tensorflow=(2, 18), keras="legacy"),
    find=imports,
    before="""\
import keras  # two
import tensorflow as tf
from keras.layers import Dense

model = keras.Sequential([Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    after="""\
import tf_keras as keras
# two
import tensorflow as tf
from tf_keras.layers import Dense

model = keras.Sequential([Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=(
        # other modules in one line; Keras by its TensorFlow
        "import keras, os\nimport tensorflow as tf\n\nmodel = keras.Sequential([])\n"
        'model.compile("sgd", "mse")\nmodel.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n',
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([])\n"
        'model.compile("sgd", "mse")\nmodel.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n',
    ),
)
def tf_keras(at: Places) -> Query:
    """One line takes the place of another."""
    return put_in_place(at)
