"""A value of one worker that decides how long the training goes on is averaged first.

All workers get the same average, so that all of them leave a loop in the same round:
https://horovod.readthedocs.io/en/stable/tensorflow.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Replace, insert, replace
from ..edits.patterns import EXPRESSION, STATEMENT
from ..facts import Facts, Pattern, training_of
from ..facts.agreement.averages import occurrences, value_of_its_own
from ..facts.number_domain import NUMBER, Number
from ..restrictions._agreement_advice import new_average
from ..rewrites._new_code import hvd, tf
from ._decisions import has_jumps, head, horovod_begins, own_names, own_tests
from ._repair import Query, repair

# Python's float has twice the bits of a tensor that is made of it by default.
LINES = {
    Number.TENSOR: "{hvd}.allreduce({tf}.convert_to_tensor({name}))",
    Number.NUMPY: "{hvd}.allreduce({tf}.convert_to_tensor({name})).numpy()",
    Number.FLOAT: "float({hvd}.allreduce({tf}.convert_to_tensor({name}, {tf}.float64)))",
}


def decisions(facts: Facts) -> Iterator[At]:
    """Where the values stand by which each worker decides for itself, with Horovod's import."""
    if training_of(facts).pattern is not Pattern.GRADIENT_TAPE or facts.has_horovod:
        return
    is_bound = tf(facts) in facts.index.names  # else the lines had no TensorFlow
    places = list(averages(facts)) if is_bound else []
    if places:
        yield from horovod_begins(facts)
        yield from places


def averages(facts: Facts) -> Iterator[At]:
    """Lines that average, before an `if`, or at the end of a `while`."""
    found: dict[ast.If | ast.While, dict[str, Number]] = {}
    for test in own_tests(facts):
        holder = head(facts, facts.statement(test))
        if isinstance(holder, (ast.If, ast.While)):
            found.setdefault(holder, {}).update(own_names(facts, test))
    yield from _named(facts)
    for holder, names in found.items():
        lines = "".join(f"{average(facts, *each)}\n" for each in sorted(names.items()))
        if lines and isinstance(holder, ast.If):
            yield At(holder, Insert(before=lines))
        elif lines and isinstance(holder, ast.While) and not has_jumps(holder):
            yield At(holder.body[-1], Insert(after=lines))


def _named(facts: Facts) -> Iterator[At]:
    """A value that an `if` asks for, `loss.result() < best`, gets a name for its average."""
    for test in dict.fromkeys(own_tests(facts)):
        value = None if own_names(facts, test) else value_of_its_own(facts, test)
        template = "" if value is None else LINES.get(facts.program.value(NUMBER, value))
        if value is not None and template:
            name = new_average(facts, value)
            line = template.format(hvd=hvd(facts), tf=tf(facts), name=ast.unparse(value))
            yield At(facts.statement(test), Insert(before=f"{name} = {line}\n"))
            yield from (At(each, Replace(name)) for each in occurrences(facts, value))


def average(facts: Facts, name: str, number: Number) -> str:
    """The line that gives a name the average of all workers, as a number of the same kind."""
    template = LINES.get(number, LINES[Number.TENSOR])
    return f"{name} = {template.format(hvd=hvd(facts), tf=tf(facts), name=name)}"


@repair(
    code="A06",
    name="average-decision",
    title="Average the value over the workers, so that all of them decide alike.",
    answers=("T07",),
    is_automatic=True,
    find=decisions,
    before="""\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.random.normal((64,), seed=1)).batch(4)
for x in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - 2.0) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if loss < 0.1:  # good enough
        break
""",
    after="""\
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.random.normal((64,), seed=1)).batch(4)
for x in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - 2.0) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    loss = hvd.allreduce(tf.convert_to_tensor(loss))
    if loss < 0.1:  # good enough
        break
""",
    noop=(
        # a clock, which is no value with a name; a count, which is the same on all
        "import time\n\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\n"
        "opt = tf.keras.optimizers.SGD(0.1)\nwhile time.time() < 5:\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n",
    ),
)
def average_decision(at: Places) -> Query:
    """One line before the test, with a name where a call gave the value, and the import."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(EXPRESSION)
        .filter(at.each(Replace))
        .modify(replace)
    )
