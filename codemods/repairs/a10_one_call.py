"""Gradients that are applied one by one are applied in one call, and broadcast behind it.

https://www.tensorflow.org/guide/keras/writing_a_training_loop_from_scratch: all pairs at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Remove
from ..facts import Facts
from ..facts.gradients.applied_variables import round_of
from ._repair import Query, put_in_place, repair


def loops(facts: Facts) -> Iterator[At]:
    """Loops over pairs that hold nothing but the call."""
    for call in facts.calls("apply_gradients"):
        loop = round_of(facts, call)
        pairs = None if loop is None else all_pairs(facts, loop, call)
        if loop is not None and pairs is not None:
            receiver = ast.unparse(call.func)
            yield At(loop, Insert(before=f"{receiver}({pairs})\n"))
            yield At(loop, Remove(), tuple(loop.body))


def all_pairs(facts: Facts, loop: ast.For, call: ast.Call) -> str | None:
    """The code of the pairs of `for g, v in zip(…): optimizer.apply_gradients([(g, v)])`."""
    is_alone = loop.body == [facts.statement(call)] and isinstance(facts.parent(call), ast.Expr)
    if not is_alone or loop.orelse or len(call.args) != 1 or call.keywords:
        return None
    given, target, both = call.args[0], loop.target, loop.iter
    if not isinstance(both, ast.Call) or facts.name(both.func) != "builtins.zip":
        return None
    pair = given.elts[0] if isinstance(given, (ast.List, ast.Tuple)) else None
    if not isinstance(pair, ast.Tuple) or not isinstance(target, ast.Tuple):
        return None
    if len(given.elts) > 1:  # type: ignore[attr-defined]
        return None
    wanted, names = list(map(ast.unparse, pair.elts)), list(map(ast.unparse, target.elts))
    if sorted(wanted) != sorted(names) or len(names) != 2 or len(both.args) != 2:
        return None
    return f"zip({', '.join(ast.unparse(both.args[names.index(each)]) for each in wanted)})"


@repair(
    code="A10",
    name="one-call",
    title="Apply all gradients in one call, which counts as one step.",
    answers=("R08",),
    is_automatic=False,
    find=loops,
    before="""\
import tensorflow as tf

w, b = tf.Variable(1.0), tf.Variable(0.0)
opt = tf.keras.optimizers.SGD(0.1)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w + b - 2.0) ** 2
    grads = tape.gradient(loss, [w, b])
    for g, v in zip(grads, [w, b]):
        opt.apply_gradients([(g, v)])  # one by one
""",
    after="""\
import tensorflow as tf

w, b = tf.Variable(1.0), tf.Variable(0.0)
opt = tf.keras.optimizers.SGD(0.1)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w + b - 2.0) ** 2
    grads = tape.gradient(loss, [w, b])
    opt.apply_gradients(zip(grads, [w, b]))
    # one by one
""",
    noop=(
        # more than the call, and one call already
        "import tensorflow as tf\n\nw, b = tf.Variable(1.0), tf.Variable(0.0)\n"
        "opt = tf.keras.optimizers.SGD(0.1)\nwith tf.GradientTape() as tape:\n"
        "    loss = (w + b) ** 2\ngrads = tape.gradient(loss, [w, b])\n"
        "for g, v in zip(grads, [w, b]):\n    print(g)\n    opt.apply_gradients([(g, v)])\n",
        "import tensorflow as tf\n\nw, b = tf.Variable(1.0), tf.Variable(0.0)\n"
        "opt = tf.keras.optimizers.SGD(0.1)\nwith tf.GradientTape() as tape:\n"
        "    loss = (w + b) ** 2\ngrads = tape.gradient(loss, [w, b])\n"
        "opt.apply_gradients(zip(grads, [w, b]))\n",
    ),
)
def one_call(at: Places) -> Query:
    """The call goes in before the loop goes."""
    return put_in_place(at)
