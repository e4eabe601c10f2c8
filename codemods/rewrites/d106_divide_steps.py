"""N workers take each step together, so each of them takes an Nth of the steps.

Seeds 000 and 001, `trans_S` on `take` and `steps_per_epoch`; a schedule's steps are the same ones.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ..facts import Facts, steps
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import cut_pipeline, fold_around, wrap

DIVIDED = "_ // {hvd}.size()"
MULTIPLIED = "_ * {hvd}.size()"
REPEATED = "_.repeat()"


def counts(facts: Facts) -> Mapping[ast.AST, str]:
    """How each number of steps is written afterwards; `_` stands for it."""
    found: dict[ast.AST, str] = {
        expr: (steps.EACH if is_sequence else DIVIDED).format(hvd=facts.hvd)
        for expr, is_sequence in steps.divided(facts)
    }
    found.update(dict.fromkeys(steps.hastened(facts), MULTIPLIED.format(hvd=facts.hvd)))
    return {**found, **dict.fromkeys(steps.repeated(facts), REPEATED)}


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
model.fit(dataset, steps_per_epoch=50 // hvd.size(), epochs=3)
""",
    noop=(
        "from sklearn import svm\n\nsvm.SVC().fit(x, y, steps_per_epoch=50)\n",  # no Keras
    ),
)
def divide_steps(at: Places[str]) -> Query:
    """A dataset that its steps could outlast is repeated, as the remainders are cut off."""

    def divide(node: LN, capture: Capture, filename: str) -> None:
        if at[node] == REPEATED:
            cut_pipeline(node, REPEATED)
        else:
            wrap(node, at[node])
        fold_around(node)

    return Query().select("any").filter(at.here).modify(divide)
