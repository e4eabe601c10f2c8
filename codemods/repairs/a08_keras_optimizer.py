"""An optimizer of TensorFlow 1 gives way to the one of Keras that took its place.

https://www.tensorflow.org/guide/migrate/tf1_vs_tf2: `tf.train.AdamOptimizer` is gone from 2.0 on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Replace, replace
from ..edits.patterns import CALL
from ..facts import Facts
from ..library.tensorflow_names import MOMENTUM, SUCCESSORS
from ..restrictions.n03_tensorflow_1 import old_optimizers, successor
from ._repair import Query, repair

ARGUMENTS = ("learning_rate", "momentum", "name", "use_locking")  # the last two change no step


def optimizers(facts: Facts) -> Iterator[At]:
    """Those of which all that is given has a place in the new one."""
    for call in old_optimizers(facts):
        name = (facts.kind(call) or "").rpartition(".")[2]
        if name in SUCCESSORS and not is_special(facts, call, name):
            yield At(call, Replace(successor(facts, call)))


def is_special(facts: Facts, call: ast.Call, name: str) -> bool:
    """Whether it is given more than its rate (and its momentum)."""
    most = 2 if name == MOMENTUM else 1
    is_hidden = any(isinstance(each, ast.Starred) for each in call.args)
    return is_hidden or len(call.args) > most or any(k.arg not in ARGUMENTS for k in call.keywords)


@repair(
    code="A08",
    name="keras-optimizer",
    title="Take the optimizer of Keras that replaces this one of TensorFlow 1.",
    answers=("N03",),
    is_automatic=False,
    find=optimizers,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.train.AdamOptimizer(0.001), "mse")  # as ever
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(learning_rate=0.001), "mse")  # as ever
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=(
        # it is given what the other one calls by another name
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile(tf.train.AdamOptimizer(0.001, epsilon=0.1), "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
    ),
)
def keras_optimizer(at: Places) -> Query:
    """The call is exchanged as a whole."""
    return Query().select(CALL).filter(at.each(Replace)).modify(replace)
