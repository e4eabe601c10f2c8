"""The learning rate stays that of one worker, where all of them train on the same examples.

N equal gradients have the mean of one: the training is that of one device, and no faster.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Remark, remark
from ..edits.patterns import STATEMENT
from ..facts import Facts, Role
from ..facts.declared import keeps_rate
from ..facts.optimizers.compiles import compiles
from ..suppressions.declarations import KEPT_RATE
from ._repair import Query, repair


def rates(facts: Facts) -> Iterator[At]:
    """The statements that make an optimizer, or name one for `compile`."""
    made = [*facts.creations(Role.OPTIMIZER)]
    made += [c.call for c in compiles(facts) if not _is_made(facts, c.optimizer)]
    statements = dict.fromkeys(
        facts.statement(call) for call in made if not keeps_rate(facts, call)
    )
    yield from (At(statement, Remark(f"# distify: {KEPT_RATE}")) for statement in statements)


def _is_made(facts: Facts, optimizer: ast.expr | None) -> bool:
    """Whether it is an object that stands elsewhere, and no name: `compile("adam")`."""
    return optimizer is not None and facts.role(optimizer) is Role.OPTIMIZER


@repair(
    code="A27",
    name="kept-rate",
    title="Keep the learning rate of one worker: right where all train on the same examples.",
    answers=("J08",),
    is_automatic=False,
    find=rates,
    before="""\
import tensorflow as tf
from feeds import train_feed

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(train_feed(), epochs=3)
""",
    after="""\
import tensorflow as tf
from feeds import train_feed

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")  # distify: rate=kept
model.fit(train_feed(), epochs=3)
""",
    noop=(
        # nothing trains
        "import tensorflow as tf\n\nopt = tf.keras.optimizers.SGD(0.1)\n",
    ),
)
def kept_rate(at: Places) -> Query:
    """One comment for each optimizer."""
    return Query().select(STATEMENT).filter(at.each(Remark)).modify(remark)
