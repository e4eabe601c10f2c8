"""A step that XLA compiles is compiled by TensorFlow alone: XLA has no kernels for collectives.

https://www.tensorflow.org/xla: the setting changes how fast a function runs, not what it computes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, SetArgument, set_argument
from ..edits.patterns import CALL
from ..facts import Facts
from ..facts.optimizers.compiles import compiles
from ..library.tensorflow_names import FUNCTION
from ._repair import Query, repair

SETTINGS = ("jit_compile", "experimental_compile")


def compiled(facts: Facts) -> Iterator[At]:
    """Calls of `tf.function` and `compile` that ask for XLA in so many words."""
    calls = [*facts.calls_of(FUNCTION), *(each.call for each in compiles(facts))]
    for call in dict.fromkeys(calls):
        for keyword in call.keywords:
            is_true = isinstance(keyword.value, ast.Constant) and keyword.value.value is True
            if keyword.arg in SETTINGS and is_true:
                yield At(call, SetArgument(str(keyword.arg), "False"))


@repair(
    code="A04",
    name="without-xla",
    title="Leave XLA out, which can't compile Horovod's operations.",
    answers=("G02",),
    is_automatic=True,
    find=compiled,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", jit_compile=True)  # fast
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", jit_compile=False)  # fast
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=(
        # not asked for, and asked for by a value that can't be seen
        "import sys\n\nimport tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse", jit_compile="-x" in sys.argv)\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
    ),
)
def without_xla(at: Places) -> Query:
    """The setting stays in sight, turned off."""
    return Query().select(CALL).filter(at.each(SetArgument)).modify(set_argument)
