"""N workers take each step together, so each of them takes an Nth of the steps.

Seeds 000 and 001, `trans_S` on `take` and `steps_per_epoch`; a schedule's steps are the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    Chain,
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
from ._rewrite import Query, rewrite
from ._shares_of_steps import job_steps, numbers, shorter_epochs


def counts(facts: Facts) -> Iterator[At]:
    """How each number of steps is written afterwards, and where schedules are told other ones."""
    yield from shorter_epochs(facts)
    yield from numbers(facts)
    yield from job_steps(facts)


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
