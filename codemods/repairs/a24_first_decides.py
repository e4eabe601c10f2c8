"""A clock that decides how long the training goes on is asked on worker 0, which tells the others.

https://horovod.readthedocs.io/en/stable/api.html, `broadcast_object`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Replace, insert, replace
from ..edits.patterns import CONDITION, STATEMENT
from ..facts import Facts, Pattern, training_of
from ..facts.agreement.control import splits
from ..judge.disagreements import disagreements
from ..judge.own import Level
from ..library.tensorflow_names import VARIABLE
from ..program.node_fields import within
from ..rewrites._new_code import hvd, tf
from ._decisions import first_tests, horovod_begins
from ._repair import Query, repair

CLOCKS = ("clock", "chance", "person")


def decisions(facts: Facts) -> Iterator[At]:
    """The tests by a clock, and Horovod's import where there is none."""
    if (
        training_of(facts).pattern is not Pattern.GRADIENT_TAPE
        or tf(facts) not in facts.index.names
    ):
        return
    tests = [test for test in dict.fromkeys(first_tests(facts)) if asks_clock(facts, test)]
    if not tests or not all(is_asked_by_all(facts, test) for test in tests):
        return
    if not facts.has_horovod:
        yield from horovod_begins(facts)
    for test in tests:
        first, last = facts.source.offsets(test)
        text = facts.source.text[first:last]
        yield At(test, Replace(f"{hvd(facts)}.broadcast_object({text}, root_rank=0)"))


def asks_clock(facts: Facts, test: ast.expr) -> bool:
    """Whether it is the test of an `if` or a `while`, and a clock or a draw is in it, no model."""
    holder = facts.parent(test)
    if not isinstance(holder, (ast.If, ast.While)) or holder.test is not test:
        return False
    asked = disagreements(facts)
    own, source = asked.owners.of(test), asked.owners.of(test).source
    is_drawn = own.kind in CLOCKS and isinstance(source, ast.Call) and bool(facts.name(source.func))
    calls = (n for n in facts.program.ingredients(test) if isinstance(n, ast.Call))
    is_trained = any(facts.name(call.func) == VARIABLE for call in calls)
    return is_drawn and asked.of_batches.of(test).level < Level.OWN and not is_trained


def is_asked_by_all(facts: Facts, test: ast.expr) -> bool:
    """Whether every worker comes to the test equally often, but for what it decides itself."""
    function = facts.function(test)
    if function is not None and function.decorator_list:  # of a graph, which asks once
        return False
    found = splits(facts, facts.statement(test))
    return found is not None and all(split.test in within(test) for split in found)


@repair(
    code="A24",
    name="first-decides",
    title="Let worker 0 ask the clock, and tell the others.",
    answers=("T07",),
    is_automatic=True,
    find=decisions,
    before="""\
import time

import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
begun = time.time()
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if time.time() - begun > 60:  # a minute
        break
""",
    after="""\
import time

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
begun = time.time()
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if hvd.broadcast_object(time.time() - begun > 60, root_rank=0):  # a minute
        break
""",
    noop=(
        # a count, which is the same on all
        "import time\n\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\n"
        "opt = tf.keras.optimizers.SGD(0.1)\nfor step in range(9):\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n"
        "    if step > 5:\n        break\n",
    ),
)
def first_decides(at: Places) -> Query:
    """Another test in the same place, and the import that it needs."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CONDITION)
        .filter(at.each(Replace))
        .modify(replace)
    )
