"""A name of TensorFlow that is bound again: by an import where that can be, else by another name.

Seed 000, R02: https://docs.python.org/3/reference/executionmodel.html#binding-of-names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    DropNames,
    Insert,
    Places,
    Remove,
    Replace,
    drop_names,
    insert,
    remove,
    replace,
)
from ..edits.patterns import CONDITION, IMPORT, STATEMENT
from ..facts import Facts
from ..facts.scopes import Binding
from ._rebound import imported_anew, named_apart
from ._repair import Query, repair


def rebound(facts: Facts) -> Iterator[At]:
    """What the module's second binding of a name becomes, where the first is an import's alone."""
    for name, bindings in facts.scope(facts.module.body[0]).bindings.items():
        if len(bindings) != 2 or not all(is_at_top(facts, binding) for binding in bindings):
            continue
        first, second = (binding.node for binding in bindings)
        if isinstance(first, ast.Import) and isinstance(second, ast.Assign):
            yield from imported_anew(facts, name, first, second)
        elif isinstance(first, ast.ImportFrom) and isinstance(second, ast.ClassDef):
            yield from named_apart(facts, name, first, second)


def is_at_top(facts: Facts, binding: Binding) -> bool:
    """Whether it always is so bound, for the whole module."""
    return binding.node in facts.module.body


@repair(
    code="A11",
    name="one-import",
    title="Let a name of TensorFlow be bound once, by an import.",
    answers=("R02",),
    is_automatic=True,
    find=rebound,
    before="""\
import tensorflow as tf
from tensorflow.keras import Model, layers

tf = tf.compat.v2  # the second one


class Model(Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1)

    def call(self, x):
        return self.dense(x)


model = Model()
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    after="""\
from tensorflow.keras import layers
from tensorflow.keras import Model as BaseModel

import tensorflow.compat.v2 as tf
# the second one


class Model(BaseModel):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1)

    def call(self, x):
        return self.dense(x)


model = Model()
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=(
        # it is used in between; something of one's own; only now and then
        "import tensorflow as tf\n\nx = tf.ones((8, 4))\ntf = tf.compat.v1\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nmodel.fit(x, x)\n',
        "import tensorflow as tf\nimport numpy as np\n\ntf = np\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n",
        "import sys\n\nimport tensorflow as tf\n\nif sys.argv[1:]:\n    tf = tf.compat.v1\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nmodel.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n',
    ),
)
def one_import(at: Places) -> Query:
    """New lines go in before the old ones go."""
    return (
        Query()
        .select(CONDITION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(IMPORT)
        .filter(at.each(DropNames))
        .modify(drop_names)
        .select(STATEMENT)
        .filter(at.each(Remove))
        .modify(remove)
    )
