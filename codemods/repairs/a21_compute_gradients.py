"""Gradients that an optimizer applies are computed by it, too: Horovod averages them there.

`compute_gradients` calls `tf.gradients`, and pairs what it gives with the variables:
https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Replace, replace
from ..edits.patterns import CALL
from ..facts import Facts
from ..facts.flow import flow_to
from ..library.names import in_v1
from ..rewrites._new_code import code, fresh
from ._repair import Query, repair

GRADIENTS = in_v1("gradients")


def gradients(facts: Facts) -> Iterator[At]:
    """The calls whose gradients come to one optimizer, which is made before them."""
    found: dict[ast.Call, set[str]] = {}
    for step in facts.calls("apply_gradients"):
        given = facts.argument(step, "grads_and_vars", 0)
        optimizer = step.func.value  # type: ignore[attr-defined]
        for call in flow_to(facts, given or step, ("each", 0)).foreign:
            if facts.name(call.func) in GRADIENTS:
                is_there = isinstance(optimizer, ast.Name) and is_before(facts, optimizer, call)
                found.setdefault(call, set()).add(optimizer.id if is_there else "")
    for call, names in found.items():
        if names != {""} and len(names) == 1 and len(call.args) == 2 and not call.keywords:
            loss, variables = (code(facts, each) for each in call.args)
            one = fresh(facts, "gradient")
            pairs = f"{names.pop()}.compute_gradients({loss}, {variables})"
            yield At(call, Replace(f"[{one} for {one}, _ in {pairs}]"))


def is_before(facts: Facts, optimizer: ast.Name, call: ast.Call) -> bool:
    """Whether the optimizer has its name in the same block before the gradients are computed."""
    bindings = facts.names.bindings(optimizer)
    block, number = facts.block(facts.statement(call))
    return len(bindings) == 1 and bindings[0].node in block[:number]


@repair(
    code="A21",
    name="compute-gradients",
    title="Let the optimizer compute the gradients, which Horovod averages there.",
    answers=("T06",),
    is_automatic=True,
    find=gradients,
    before="""\
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
w = tf.Variable(1.0)
loss = (w - 2.0) ** 2
optimizer = tf.train.GradientDescentOptimizer(0.1)
grads = tf.gradients(loss, [w])  # one
grads, _ = tf.clip_by_global_norm(grads, 1.0)
train = optimizer.apply_gradients(zip(grads, [w]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(9):
        sess.run(train)
""",
    after="""\
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
w = tf.Variable(1.0)
loss = (w - 2.0) ** 2
optimizer = tf.train.GradientDescentOptimizer(0.1)
grads = [gradient for gradient, _ in optimizer.compute_gradients(loss, [w])]  # one
grads, _ = tf.clip_by_global_norm(grads, 1.0)
train = optimizer.apply_gradients(zip(grads, [w]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(9):
        sess.run(train)
""",
    noop=(
        # the optimizer is made behind them; they are weighted by something else
        "import tensorflow.compat.v1 as tf\n\nw = tf.Variable(1.0)\n"
        "grads = tf.gradients((w - 2.0) ** 2, [w])\n"
        "train = tf.train.AdamOptimizer(0.1).apply_gradients(zip(grads, [w]))\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    sess.run(train)\n",
        "import tensorflow.compat.v1 as tf\n\nw = tf.Variable(1.0)\n"
        "opt = tf.train.AdamOptimizer(0.1)\n"
        "grads = tf.gradients((w - 2.0) ** 2, [w], grad_ys=tf.ones([]))\n"
        "train = opt.apply_gradients(zip(grads, [w]))\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    sess.run(train)\n",
    ),
)
def compute_gradients(at: Places) -> Query:
    """What follows gets the same list."""
    return Query().select(CALL).filter(at.each(Replace)).modify(replace)
