"""Gradients that are applied by hand are applied by an optimizer, which does the same.

`SGD` without momentum subtracts rate times gradient:
https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/SGD.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Remove
from ..facts import Facts
from ..facts.optimizers.optimizer_makers import class_of_keras
from ..facts.setup.import_places import tensorflow_import
from ..program.node_fields import within
from ..program.parts import FunctionNode
from ..rewrites._new_code import fresh
from ._repair import Query, put_in_place, repair
from ._steps_by_hand import HandStep, hand_steps


def steps_by_hand(facts: Facts) -> Iterator[At]:
    """All statements that are a step, and the first top-level one around them."""
    steps = hand_steps(facts)
    if not steps or len({step.rate for step in steps}) > 1:
        return
    made = creation(facts, steps[0].rate)
    top = min((facts.top(step.statement) for step in steps), key=facts.module.body.index)
    if not is_known(facts, steps[0].rate, top):
        return
    is_definition = isinstance(top, (*FunctionNode, ast.ClassDef))
    yield At(top, Insert(before=f"{made}\n\n\n" if is_definition else f"{made}\n"))
    for group in neighbours(facts, steps):
        yield At(group[0].statement, Insert(before=application(facts, group)))
        for step in group:
            yield At(step.statement, Remove(), within_block(step.statement))


def creation(facts: Facts, rate: str) -> str:
    """The line that makes the optimizer."""
    return f"{fresh(facts, 'optimizer')} = {class_of_keras(facts, 'SGD')}(learning_rate={rate})"


def application(facts: Facts, group: list[HandStep]) -> str:
    """One call for steps that follow each other."""
    pairs = [step.pairs for step in group]
    joined = pairs[0] if len(pairs) == 1 else f"[{', '.join(p[1:-1] for p in pairs)}]"
    return f"{fresh(facts, 'optimizer')}.apply_gradients({joined})\n"


def neighbours(facts: Facts, steps: list[HandStep]) -> list[list[HandStep]]:
    """The steps, those of single variables that stand side by side together."""
    groups: list[list[HandStep]] = []
    for step in steps:
        block, number = facts.block(step.statement)
        before = groups[-1][-1] if groups else None
        is_next = before is not None and number and block[number - 1] is before.statement
        if is_next and before is not None and before.pairs[0] == step.pairs[0] == "[":
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def is_known(facts: Facts, rate: str, top: ast.stmt) -> bool:
    """Whether TensorFlow and a rate with a name are there before a top-level statement."""
    body = facts.module.body
    before = body[: body.index(top)]
    if tensorflow_import(facts) not in before:
        return False
    stored = {n.id for s in before for n in within(s) if isinstance(n, ast.Name)}
    return not rate.isidentifier() or rate in stored


def within_block(statement: ast.stmt) -> tuple[ast.AST, ...]:
    """The statements inside of a loop that goes as a whole."""
    return tuple(getattr(statement, "body", ()))


@repair(
    code="A05",
    name="use-sgd",
    title="Let an optimizer apply the gradients: SGD does the same.",
    answers=("G03",),
    is_automatic=True,
    find=steps_by_hand,
    before="""\
import tensorflow as tf

w, b = tf.Variable(1.0), tf.Variable(0.0)
x = tf.random.normal((8,))
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x + b - 3.0) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
""",
    after="""\
import tensorflow as tf

w, b = tf.Variable(1.0), tf.Variable(0.0)
x = tf.random.normal((8,))
optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x + b - 3.0) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    optimizer.apply_gradients([(dw, w), (db, b)])
""",
    noop=(
        # a rate that changes; a step of another form; no gradients of a tape
        "import tensorflow as tf\n\nw = tf.Variable(1.0)\nfor step in range(10):\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    w.assign_sub(0.1 / (step + 1) * tape.gradient(loss, w))\n",
        "import tensorflow as tf\n\nw = tf.Variable(1.0)\nfor step in range(10):\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    w.assign_sub(tf.sign(tape.gradient(loss, w)))\n",
    ),
)
def use_sgd(at: Places) -> Query:
    """What is new goes in before what goes."""
    return put_in_place(at)
