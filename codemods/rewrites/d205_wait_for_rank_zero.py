"""Before every worker reads a file that only rank 0 has written, they wait for it.

D203 and D302 leave the writing to rank 0; a faster worker would find no file, or half of it. Where
a loop goes on is read from files as well: rank 0 tells it.
https://github.com/horovod/horovod/issues/202.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Fold, Insert, Places, Wrap, fold, insert, wrap
from ..edits.patterns import EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.output.reloads import all_have_read, session_waits, waits
from ..facts.training.pattern import runs_graph
from ..facts.training.training_loops import may_be_negative, told_counts
from ._new_code import hvd
from ._rewrite import Query, rewrite

WAIT = "{hvd}.broadcast(0, root_rank=0)  # wait for rank 0's file\n"
# It runs by the session that is the default there.
IN_SESSION = "{hvd}.broadcast_object(0, root_rank=0)  # wait for rank 0's file\n"
READ = "{hvd}.broadcast(0, root_rank=0)  # wait until all have read it\n"
TELL = "{path} = {hvd}.broadcast_object({path}, root_rank=0)  # as rank 0 saved it\n"
START = "int({hvd}.broadcast(_, root_rank=0))"
REST = f"max(0, {START})"  # `take(-1)` takes all: where more workers go on with fewer steps each


def reads(facts: Facts) -> Iterator[At]:
    """Where every worker is about to read what rank 0 has written, or goes on where that says."""
    if runs_graph(facts):
        told = IN_SESSION.format(hvd=hvd(facts))
        yield from (At(each, Insert(told)) for each in session_waits(facts))
        return
    behind, waiting = [*all_have_read(facts)], waits(facts)
    for place in dict.fromkeys((*waiting, *behind)):
        before = _wait(facts, waiting[place]) if place in waiting else ""
        yield At(place, Insert(before, READ.format(hvd=hvd(facts)) if place in behind else ""))
    for rounds, numbers in told_counts(facts).items():
        for number in numbers:
            told = REST if may_be_negative(facts, number) else START
            yield At(number, Wrap(told.format(hvd=hvd(facts))))
        yield At(rounds, Fold())


def _wait(facts: Facts, path: ast.expr | None) -> str:
    told = "" if path is None else ast.unparse(path)
    return (WAIT if path is None else TELL).format(hvd=hvd(facts), path=told)


@rewrite(
    code="D205",
    name="wait-for-rank-zero",
    summary="Let every worker wait for a file of rank 0 before reading it.",
    needs=("D101", "D102", "D203"),
    find=reads,
    before="""\
import os

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
x, y = tf.ones((8, 4)), tf.ones((8, 1))
start = len(os.listdir("weights"))
for epoch in range(start, 9):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    model.save_weights(f"weights/{epoch}.h5")

model.load_weights("weights/8.h5")
""",
    after="""\
import os

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
x, y = tf.ones((8, 4)), tf.ones((8, 1))
start = len(os.listdir("weights"))
for epoch in range(int(hvd.broadcast(start, root_rank=0)), 9):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if hvd.rank() == 0:
        model.save_weights(f"weights/{epoch}.h5")

hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
model.load_weights("weights/8.h5")
""",
    noop=(
        # it is read before it is written, and the other file is another one
        "import numpy as np\nimport tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\n'
        'model.load_weights("w.h5")\n'
        'model.fit(np.load("x.npy"), np.load("y.npy"))\n'
        'model.save_weights("w.h5")\n'
        'np.save("z.npy", model.get_weights()[0])\n',
    ),
)
def wait_for_rank_zero(at: Places) -> Query:
    """A broadcast of nothing: the others get it only when rank 0 has come to it."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(EXPRESSION)
        .filter(at.each(Fold))
        .modify(fold)
    )
