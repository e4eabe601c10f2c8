"""A program of sessions names TensorFlow 1, so that TensorFlow 2 runs it.

https://www.tensorflow.org/guide/migrate: `import tensorflow.compat.v1 as tf`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Remove
from ..facts import Facts
from ..facts.keras_version import roots
from ..facts.setup.import_places import last_import
from ..program.node_fields import within
from ..restrictions.n03_tensorflow_1 import old_session
from ._repair import Query, put_in_place, repair

GONE = ("contrib", "examples")


def imports(facts: Facts) -> Iterator[At]:
    """The import of TensorFlow, if it is the only one, and the end of the imports."""
    found = [n for n in within(facts.module) if is_tensorflows(n)]
    last = last_import(facts)
    if old_session(facts) is None or len(found) != 1 or last is None:
        return
    (first,) = found
    if not isinstance(first, ast.Import) or len(first.names) > 1 or first not in facts.module.body:
        return
    name = first.names[0].asname or "tensorflow"
    if first.names[0].name != "tensorflow" or uses_what_is_gone(facts, name):
        return
    start = f"\n{name}.disable_v2_behavior()\n"
    line = f"import tensorflow.compat.v1 as {name}\n"
    yield At(first, Insert(before=line + (start if first is last else "")))
    yield At(first, Remove())
    if first is not last:
        yield At(last, Insert(after=start))


def is_tensorflows(node: ast.AST) -> bool:
    """Whether it imports something of TensorFlow."""
    return isinstance(node, (ast.Import, ast.ImportFrom)) and "tensorflow" in roots(node)


def uses_what_is_gone(facts: Facts, name: str) -> bool:
    """Whether the program uses parts of TensorFlow 1 that TensorFlow 2 lacks."""
    loads = facts.index.loads.get(name, ())
    return any(getattr(facts.parent(load), "attr", "") in GONE for load in loads)


@repair(
    code="A18",
    name="name-tensorflow-1",
    title="Import TensorFlow 1 by its name, `tensorflow.compat.v1`, for TensorFlow 2.",
    answers=("N03",),
    is_automatic=False,
    of_notes=True,
    find=imports,
    before="""\
import tensorflow as tf
import numpy as np

w = tf.Variable(1.0)
loss = (w - 2.0) ** 2
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(9):
        sess.run(train)
    print(np.round(sess.run(w)))
""",
    after="""\
import tensorflow.compat.v1 as tf
import numpy as np

tf.disable_v2_behavior()

w = tf.Variable(1.0)
loss = (w - 2.0) ** 2
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(9):
        sess.run(train)
    print(np.round(sess.run(w)))
""",
    noop=(
        # TensorFlow 2 has no such thing under any name; another import beside it
        "import tensorflow as tf\n\nw = tf.Variable(1.0)\n"
        "loss = tf.contrib.layers.l2_regularizer(0.1)(w)\n"
        "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    for step in range(9):\n        sess.run(train)\n",
        "import tensorflow as tf\nfrom tensorflow import train\n\nw = tf.Variable(1.0)\n"
        "step = train.GradientDescentOptimizer(0.1).minimize((w - 2.0) ** 2)\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    for n in range(9):\n        sess.run(step)\n",
    ),
)
def name_tensorflow_1(at: Places) -> Query:
    """One import takes the place of another; the setting goes behind all of them."""
    return put_in_place(at)
