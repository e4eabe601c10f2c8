"""Data that nobody can follow is said to be each worker's own, in the line that trains on it.

What stands in the comment is taken for true (the design of data, "The ladder", rung 5).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Remark, remark
from ..edits.patterns import STATEMENT
from ..facts import Facts
from ..facts.data.batch_needs import order_matters
from ..facts.data.pipeline_shares import shares_of
from ..facts.data.unknown_data import unknown_data
from ..facts.data.uses import Use
from ..facts.declared import has_own_rows
from ..facts.training.training_loops import loop_around
from ..suppressions.declarations import OWN_ROWS
from ._repair import Query, repair


def data(facts: Facts) -> Iterator[At]:
    """The statements that train on what isn't shared out, loops at their head.

    None where that is known to be the same for all, in an order that the model needs.
    """
    if order_matters(facts):
        return
    whole = (each.end.by for each in shares_of(facts).whole if each.end.use is Use.TRAINING)
    found: dict[ast.AST, None] = {}
    for node in (*unknown_data(facts), *whole):
        if not has_own_rows(facts, node):
            loop = loop_around(facts, node) if isinstance(node, ast.Call) else None
            found[facts.statement(node) if loop is None else loop] = None
    yield from (At(statement, Remark(f"# distify: {OWN_ROWS}")) for statement in found)


@repair(
    code="A28",
    name="own-rows",
    title="Say that each worker has examples of its own there, as you know that it has.",
    answers=("J08",),
    is_automatic=False,
    find=data,
    before="""\
import tensorflow as tf
from feeds import train_feed

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(train_feed(), steps_per_epoch=100)  # of this machine's queue
""",
    after="""\
import tensorflow as tf
from feeds import train_feed

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(train_feed(), steps_per_epoch=100)  # of this machine's queue  # distify: rows=own
""",
    noop=(
        # arrays, which are cut
        "import numpy as np\nimport tensorflow as tf\n\nx = np.ones((8, 4))\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nmodel.fit(x, x)\n',
    ),
)
def own_rows(at: Places) -> Query:
    """One comment for each statement that trains."""
    return Query().select(STATEMENT).filter(at.each(Remark)).modify(remark)
