"""A call of `train_on_batch` that another function repeats gets a round of its own.

Horovod's guide for Keras broadcasts by a callback of `fit`, which this call runs none of:
https://horovod.readthedocs.io/en/stable/keras.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Remove
from ..facts import Facts
from ..facts.gradients.trained_models import unplaced_batches
from ..rewrites._new_code import fresh
from ._repair import Query, put_in_place, repair

SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


def batches(facts: Facts) -> Iterator[At]:
    """The statements of the calls, in a loop of one round."""
    for statement in dict.fromkeys(map(facts.statement, unplaced_batches(facts))):
        if isinstance(statement, SIMPLE) and not facts.in_loop(statement):
            lines = f"for {fresh(facts, '_')} in range(1):\n    {ast.unparse(statement)}\n"
            yield At(statement, Insert(before=lines))
            yield At(statement, Remove())


@repair(
    code="A09",
    name="own-round",
    title="Put it into a loop of one round: each call begins with the weights of worker 0.",
    answers=("T08",),
    is_automatic=False,
    find=batches,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")


def step(x):
    return model.train_on_batch(x, x)  # the loss


for n in range(30):
    step(tf.ones((8, 1)))
""",
    after="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")


def step(x):
    for _ in range(1):
        return model.train_on_batch(x, x)
    # the loss


for n in range(30):
    step(tf.ones((8, 1)))
""",
    noop=(
        # in a loop of the same function
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nfor _ in range(30):\n'
        "    model.train_on_batch(tf.ones((8, 1)), tf.ones((8, 1)))\n",
    ),
)
def own_round(at: Places) -> Query:
    """The loop goes in before the statement goes."""
    return put_in_place(at)
