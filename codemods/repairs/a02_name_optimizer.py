"""An optimizer that is made where it is used gets a name first: `SGD(0.1).apply_gradients(…)`.

Horovod's guide broadcasts the state of an optimizer, which has to be reached for that:
https://horovod.readthedocs.io/en/stable/tensorflow.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Name, Places, name
from ..edits.patterns import CALL
from ..facts import Facts, Role
from ..facts.value_parts import can_be_named
from ..rewrites._new_code import fresh_for
from ._repair import Query, repair


def inline_optimizers(facts: Facts) -> Iterator[At]:
    """Calls that make an optimizer as the receiver of `apply_gradients` or `minimize`."""
    for call in facts.calls("apply_gradients", "minimize"):
        made = call.func.value  # type: ignore[attr-defined]
        is_made = isinstance(made, ast.Call) and facts.made_by(made) is Role.OPTIMIZER
        if is_made and can_be_named(facts, made):
            yield At(made, Name(fresh_for(facts, "optimizer", made)))


@repair(
    code="A02",
    name="name-optimizer",
    title="Give the optimizer a name before it is used.",
    answers=("R05", "R08"),
    is_automatic=True,
    find=inline_optimizers,
    before="""\
import tensorflow as tf

w = tf.Variable(1.0)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    grads = tape.gradient(loss, [w])
    tf.keras.optimizers.SGD(0.1).apply_gradients(zip(grads, [w]))  # plain
""",
    after="""\
import tensorflow as tf

w = tf.Variable(1.0)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    grads = tape.gradient(loss, [w])
    optimizer = tf.keras.optimizers.SGD(0.1)
    optimizer.apply_gradients(zip(grads, [w]))  # plain
""",
    noop=(
        # no optimizer of Keras, and one that has a name
        "import tensorflow as tf\n\nw = tf.Variable(1.0)\nopt = tf.keras.optimizers.SGD(0.1)\n"
        "with tf.GradientTape() as tape:\n    loss = w**2\n"
        "grads = tape.gradient(loss, [w])\nopt.apply_gradients(zip(grads, [w]))\n"
        "make().apply_gradients(zip(grads, [w]))\n",
    ),
)
def name_optimizer(at: Places) -> Query:
    """It is still made anew each time, as before."""
    return Query().select(CALL).filter(at.each(Name)).modify(name)
