"""`fit` starts every worker from rank 0's state, averages the metrics, and lets one worker write.

Seed 000, `trans_S` on `fit`, runs all callbacks on rank 0 alone: EarlyStopping then hangs the job,
ReduceLROnPlateau lets the weights drift (#3140, #1095).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    Edit,
    FoldCall,
    Guard,
    Places,
    Prepend,
    SetArgument,
    Spread,
    WrapArgument,
    fold_call,
    guard,
    prepend,
    set_argument,
    spread,
    wrap_argument,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.output.callback_lists import ListForm, lists_of_fits
from ..facts.training import fits
from ._callbacks import HERE, KEPT, lacking, listed, told_epochs
from ._new_code import hvd
from ._rewrite import Query, rewrite


def callbacks(facts: Facts) -> Iterator[At]:
    """Every `fit` of a Keras model, and where its callbacks are made."""
    writers: dict[ast.AST, Edit] = {}
    for call, given in lists_of_fits(facts):
        kept = Spread(KEPT.format(hvd=hvd(facts)), in_call=given.form is ListForm.DISPLAY)
        writers.update(dict.fromkeys(given.rank_zero, kept))
        writers.update(dict.fromkeys(given.guarded, Guard(HERE.format(hvd=hvd(facts)))))
        yield from (At(call, edit) for edit in _fit(facts, call, given.form))
    yield from (At(place, edit) for place, edit in writers.items())


def _fit(facts: Facts, call: ast.Call, form: ListForm) -> Iterator[Edit]:
    """Horovod's callbacks first: the metrics are averaged before any of the others reads them."""
    position, is_loud = fits.position(call, "callbacks"), fits.is_loud(facts, call)
    is_changed = bool(ours := lacking(facts, call)) or form in (ListForm.FILTERED, ListForm.WRITER)
    if ours and form is ListForm.DISPLAY:
        yield Prepend("callbacks", ", ".join(ours), position)
    elif is_changed:
        kind = SetArgument if form is ListForm.MISSING else WrapArgument
        yield kind("callbacks", listed(facts, form, ours), position)
    yield from (told := told_epochs(facts, call))
    if is_loud:
        level = f"_ if {HERE.format(hvd=hvd(facts))} else 0"
        yield WrapArgument("verbose", level, fits.position(call, "verbose"), fits.VERBOSE)
    if is_changed or is_loud or told:
        yield FoldCall()
    if is_changed or (is_loud and form is not ListForm.MISSING):
        yield FoldCall("callbacks", position)


@rewrite(
    code="D302",
    name="fit-callbacks",
    summary="Give fit the callbacks of Horovod; let only rank 0 write files and progress bars.",
    find=callbacks,
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
    noop=("from sklearn import svm\n\nsvm.SVC().fit(x, y)\n",),  # no Keras model
)
def fit_callbacks(at: Places) -> Query:
    """Elements are kept for rank 0 where they stand, before their list is touched."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Spread))
        .modify(spread)
        .select(STATEMENT)
        .filter(at.each(Guard))
        .modify(guard)
        .select(CALL)
        .filter(at.each(Prepend))
        .modify(prepend)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(WrapArgument))
        .modify(wrap_argument)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
