"""`fit` starts every worker from rank 0's state, averages the metrics, and lets one worker write.

Seed 000, `trans_S` on `fit`, runs all callbacks on rank 0 alone: EarlyStopping then hangs the job,
ReduceLROnPlateau lets the weights drift (#3140, #1095).
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts import Facts, fits
from ..facts.callback_lists import Form, every
from ..facts.callbacks import WRITERS
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import argument, fold_around, keep_for_rank_zero, parentheses, quiet, set_callbacks

CALL = "power< any+ > | trailer< '(' any* ')' >"


class Fit(NamedTuple):
    """A call of `fit` or `fit_generator`."""

    hvd: str
    form: Form
    callbacks: int | None  # where they stand by position
    verbose: int | None
    is_loud: bool
    writers: str = ""  # the types that are filtered out off rank 0


class Writer(NamedTuple):
    """A callback, or a statement that adds one, that belongs on rank 0 only."""

    hvd: str
    is_inline: bool  # in the call of `fit`, which is laid out as a whole


def edits(facts: Facts) -> dict[ast.AST, Fit | Writer]:
    """Every `fit` of a Keras model, and where its callbacks are made."""
    found: dict[ast.AST, Fit | Writer] = {}
    for call, callbacks in every(facts):
        for place in (*callbacks.rank_zero, *callbacks.guarded):
            found[place] = Writer(facts.hvd, callbacks.form is Form.DISPLAY)
        found[call] = Fit(
            facts.hvd,
            callbacks.form,
            fits.position(call, "callbacks"),
            fits.position(call, "verbose"),
            fits.is_loud(facts, call),
            ", ".join(facts.spell(f"tensorflow.keras.callbacks.{name}") for name in WRITERS),
        )
    return found


@rewrite(
    code="D302",
    name="fit-callbacks",
    summary="Give fit the callbacks of Horovod; let only rank 0 write files and progress bars.",
    find=edits,
    needs=("D101", "D102"),
    before="""\
import numpy as np
import tensorflow as tf
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(
    np.ones((64, 4)),
    np.ones((64, 1)),
    callbacks=[
        EarlyStopping("loss"),  # on one worker alone it would leave the others waiting
        ModelCheckpoint("best.weights.h5"),
    ],
    verbose=2,
)
""",
    after="""\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(
    np.ones((64, 4)),
    np.ones((64, 1)),
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        EarlyStopping("loss"),  # on one worker alone it would leave the others waiting
        *([ModelCheckpoint("best.weights.h5")] if hvd.rank() == 0 else []),
    ],
    verbose=2 if hvd.rank() == 0 else 0,
)
""",
    noop=(
        "from sklearn import svm\n\nsvm.SVC().fit(x, y)\n",  # no Keras model
    ),
)
def fit_callbacks(at: Places[Fit | Writer]) -> Query:
    """Elements are kept for rank 0 where they stand, before their list is touched."""

    def is_fit(node: LN, capture: Capture, filename: str) -> bool:
        return at.here(node, capture, filename) and isinstance(at[node], Fit)

    def is_writer(node: LN, capture: Capture, filename: str) -> bool:
        return at.here(node, capture, filename) and isinstance(at[node], Writer)

    def keep(node: LN, capture: Capture, filename: str) -> None:
        writer = at[node]
        assert isinstance(writer, Writer)
        keep_for_rank_zero(node, writer)

    def complete(node: LN, capture: Capture, filename: str) -> None:
        fit = at[node]
        assert isinstance(fit, Fit)
        set_callbacks(node, fit)
        if fit.is_loud:
            quiet(node, fit.hvd, fit.verbose)
        fold_around(parentheses(node))
        fold_around(argument(node, "callbacks", fit.callbacks))

    return (
        Query()
        .select("any")
        .filter(is_writer)
        .modify(keep)
        .select(CALL)
        .filter(is_fit)
        .modify(complete)
    )
