"""A value that all workers should have alike is compared where it is made: or all of them fail.

https://horovod.readthedocs.io/en/stable/api.html, `allgather_object`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Insert, Places, insert
from ..edits.patterns import STATEMENT
from ..facts import Facts, Pattern, training_of
from ..facts.setup.import_places import horovod_place, init_place
from ..rewrites._import_edits import line_beside
from ..rewrites._new_code import hvd
from ..syntax.agreed import LINE
from ._decisions import horovod_begins
from ._open_values import made
from ._repair import Query, repair

PATTERNS = (Pattern.GRADIENT_TAPE, Pattern.KERAS)


def values(facts: Facts) -> Iterator[At]:
    """Behind what makes them, the values by which workers may decide differently."""
    places = dict(made(facts)) if training_of(facts).pattern in PATTERNS else {}
    if not places:
        return
    if not facts.has_horovod:
        yield from begins(facts)
    for statement, names in places.items():
        lines = "".join(f"{line(facts, value)}\n" for value in sorted(names))
        yield At(statement, Insert(after=lines))


def line(facts: Facts, value: str) -> str:
    """The line that compares a name, or all of the array that it holds."""
    return LINE.format(hvd=hvd(facts), value=value, name=value.partition(".")[0])


def begins(facts: Facts) -> Iterator[At]:
    """Horovod's import and its start: that of TensorFlow, as Keras' own can't gather objects."""
    if training_of(facts).pattern is Pattern.GRADIENT_TAPE:
        yield from horovod_begins(facts)
        return
    beside, start = horovod_place(facts), init_place(facts)
    if beside is not None and start is not None:
        imported = line_beside(beside, f"import horovod.tensorflow as {hvd(facts)}\n")
        yield from (At(statement, each) for statement, each in imported.items())
        above = imported.get(start, Insert()).after.count("\n")
        yield At(start, Insert(after=f"\n{hvd(facts)}.init()\n\n", distance=above))


@repair(
    code="A26",
    name="agree-or-fail",
    title="Compare the value between the workers where it is made: all of them fail if it differs.",
    answers=("T07", "K04"),
    is_automatic=False,
    find=values,
    before="""\
import requests
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
enough = int(requests.get("http://localhost/enough").text)
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if step >= enough:
        break
""",
    after="""\
import horovod.tensorflow as hvd
import requests
import tensorflow as tf

hvd.init()

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
enough = int(requests.get("http://localhost/enough").text)
assert len(set(map(repr, hvd.allgather_object(enough)))) == 1, "workers disagree about enough"
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if step >= enough:
        break
""",
    noop=(
        # a clock, which no two workers read alike
        "import time\n\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\n"
        "opt = tf.keras.optimizers.SGD(0.1)\nbegun = time.time()\nwhile time.time() < begun + 5:\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n",
    ),
)
def agree_or_fail(at: Places) -> Query:
    """One line behind each value, and the import that it needs."""
    return Query().select(STATEMENT).filter(at.each(Insert)).modify(insert)
