"""A training step inside of an expression becomes a statement, behind which others can stand.

Horovod broadcasts behind the first step: https://horovod.readthedocs.io/en/stable/tensorflow.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Remove
from ..facts import Facts
from ..facts.gradients.state_broadcasts import broadcasts
from ._repair import Query, put_in_place, repair


def nested_steps(facts: Facts) -> Iterator[At]:
    """Statements of one expression around a step, with the lines that do the same."""
    steps = [problem.node for problem in broadcasts(facts).problems]
    for statement in dict.fromkeys(map(facts.statement, steps)):
        lines = spelled_out(statement)
        if lines:
            yield At(statement, Insert(before=lines))
            yield At(statement, Remove())


def spelled_out(statement: ast.stmt) -> str:
    """The lines of a statement that is `if` or `def` in the form of an expression, or ""."""
    if isinstance(statement, ast.Expr):
        return "".join(f"{line}\n" for line in lines_of(statement.value))
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        (target, *others), made = statement.targets, statement.value
        if isinstance(target, ast.Name) and not others:
            arguments, value = ast.unparse(made.args), ast.unparse(made.body)
            return f"def {target.id}({arguments}):\n    return {value}\n"
    return ""


def lines_of(value: ast.expr) -> list[str]:
    """The statements that do what an expression does whose value nobody takes."""
    if isinstance(value, ast.IfExp):
        other = lines_of(value.orelse) or plain(value.orelse)
        head = f"if {ast.unparse(value.test)}:"
        return [head, *block(value.body), *(["else:", *indented(other)] if other else [])]
    if isinstance(value, ast.BoolOp):
        *tests, last = value.values
        is_and = isinstance(value.op, ast.And)
        test = ast.unparse(ast.BoolOp(value.op, tests) if len(tests) > 1 else tests[0])
        return [f"if {test}:" if is_and else f"if not ({test}):", *block(last)]
    return []


def block(value: ast.expr) -> list[str]:
    """The lines under a head."""
    return indented(lines_of(value) or plain(value) or ["pass"])


def plain(value: ast.expr) -> list[str]:
    """The expression as a statement; none for a constant."""
    return [] if isinstance(value, ast.Constant) else [ast.unparse(value)]


def indented(lines: list[str]) -> list[str]:
    """One level deeper."""
    return [f"    {line}" for line in lines]


@repair(
    code="A03",
    name="own-statement",
    title="Make the training step a statement of its own.",
    answers=("R08",),
    is_automatic=True,
    find=nested_steps,
    before="""\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    grads = tape.gradient(loss, [w])
    opt.apply_gradients(zip(grads, [w])) if step > 2 else None  # warm up
""",
    after="""\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    grads = tape.gradient(loss, [w])
    if step > 2:
        opt.apply_gradients(zip(grads, [w]))
    # warm up
""",
    noop=(
        # a statement already, and one whose value is used
        "import tensorflow as tf\n\nw = tf.Variable(1.0)\nopt = tf.keras.optimizers.SGD(0.1)\n"
        "with tf.GradientTape() as tape:\n    loss = w**2\n"
        "grads = tape.gradient(loss, [w])\nopt.apply_gradients(zip(grads, [w]))\n"
        "done = opt.apply_gradients(zip(grads, [w])) if w > 0 else None\n",
    ),
)
def own_statement(at: Places) -> Query:
    """The lines go in before the expression goes."""
    return put_in_place(at)
