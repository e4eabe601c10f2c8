"""N workers take each step together, so each of them takes an Nth of the steps.

Seeds 000 and 001, `trans_S` on `take` and `steps_per_epoch`; a schedule's steps are the same ones.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    Chain,
    Edit,
    Fold,
    FoldCall,
    Hoist,
    Insert,
    Places,
    Replace,
    SetArgument,
    SetField,
    Wrap,
    chain,
    fold,
    fold_call,
    hoist,
    insert,
    replace,
    set_argument,
    set_field,
    wrap,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.data import steps
from ..facts.data.divided import Share, divided
from ..facts.data.last_rounds import last_rounds
from ..facts.optimizers.job_steps import inside_told, told_steps
from ..facts.steps.decays import divided_decays, hastened
from ..facts.steps.mistimed import mistimed
from ._new_code import hvd
from ._rewrite import Query, rewrite
from ._shares_of_steps import share_of, shorter_epochs, totals

MULTIPLIED = "_ * {hvd}.size()"
REPEATED = "_.repeat()"
# In front of what a schedule of the user's own reckons with its step.
JOB_STEP = "{step} = {step} * {hvd}.size()  # those of all workers\n"


def counts(facts: Facts) -> Iterator[At]:
    """How each number of steps is written afterwards; `_` stands for it."""
    inside = inside_told(facts)
    found: dict[ast.AST, Edit] = {
        expr: share_of(facts, expr, part) for expr, part in _divided(facts) if expr not in inside
    }
    grown = (*hastened(facts), *mistimed(facts).multiplied)
    found.update(dict.fromkeys(grown, Wrap(MULTIPLIED.format(hvd=hvd(facts)))))
    found.update(dict.fromkeys(steps.repeated(facts), Chain(REPEATED)))
    yield from shorter_epochs(facts)
    for expr, edit in found.items():
        yield At(expr, edit)
        if not isinstance(edit, Replace):  # what stood there is gone
            yield At(expr, Fold())
    yield from totals(facts)
    for told in told_steps(facts):
        yield At(told.first, Insert(before=JOB_STEP.format(hvd=hvd(facts), step=told.step)))


def _divided(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """The numbers of steps of which each worker takes a share, or is compared with one."""
    yield from divided(facts)
    yield from last_rounds(facts).items()
    yield from divided_decays(facts)
    yield from mistimed(facts).divided


@rewrite(
    code="D106",
    name="divide-steps",
    summary="Divide numbers of steps by the number of workers.",
    find=counts,
    needs=("D101", "D102"),
    before="""\
import numpy as np
import tensorflow as tf

x, y = np.random.rand(1000, 4), np.random.rand(1000, 1)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).repeat().batch(20)

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(dataset, steps_per_epoch=50, epochs=3)
""",
    after="""\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

x, y = np.random.rand(1000, 4), np.random.rand(1000, 1)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).repeat().batch(20)

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(dataset, steps_per_epoch=max(1, 50 // hvd.size()), epochs=3)
""",
    noop=(
        "from sklearn import svm\n\nsvm.SVC().fit(x, y, steps_per_epoch=50)\n",  # no Keras
    ),
)
def divide_steps(at: Places) -> Query:
    """A dataset that its steps could outlast is repeated, as the remainders are cut off."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Chain))
        .modify(chain)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(EXPRESSION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(EXPRESSION)
        .filter(at.each(SetField))
        .modify(set_field)
        .select(EXPRESSION)
        .filter(at.each(Fold))
        .modify(fold)
        .select(EXPRESSION)
        .filter(at.each(Hoist))
        .modify(hoist)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
