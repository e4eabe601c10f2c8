"""`fit` starts every worker from rank 0's state, averages the metrics, and lets one worker write.

Seed 000, `trans_S` on `fit`, runs all callbacks on rank 0 alone: EarlyStopping then hangs the job,
ReduceLROnPlateau lets the weights drift (#3140, #1095).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    Fold,
    FoldCall,
    Guard,
    Insert,
    Places,
    Prepend,
    PutLater,
    Replace,
    SetArgument,
    Spread,
    Wrap,
    WrapArgument,
    fold,
    fold_call,
    guard,
    insert,
    prepend,
    put_later,
    replace,
    set_argument,
    spread,
    wrap,
    wrap_argument,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ._backups import shared_backups
from ._callback_edits import own_callbacks, told_fits
from ._lone_ends import ends_together
from ._rewrite import Query, rewrite


def callbacks(facts: Facts) -> Iterator[At]:
    """Every `fit` of a Keras model, and where its callbacks are made."""
    yield from own_callbacks(facts)
    yield from shared_backups(facts)
    yield from ends_together(facts)
    yield from told_fits(facts)


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
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    EarlyStopping("loss"),  # on one worker alone it would leave the others waiting
]
if hvd.rank() == 0:
    callbacks.append(ModelCheckpoint("best.weights.h5"))
model.fit(
    np.ones((64, 4)),
    np.ones((64, 1)),
    callbacks=callbacks,
    verbose=2 if hvd.rank() == 0 else 0,
)
""",
    noop=("from sklearn import svm\n\nsvm.SVC().fit(x, y)\n",),  # no Keras model
)
def fit_callbacks(at: Places) -> Query:
    """Rank 0's elements leave their list when all others are in it, and then get their guard."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(EXPRESSION)
        .filter(at.each(Spread))
        .modify(spread)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(Prepend))
        .modify(prepend)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(WrapArgument))
        .modify(wrap_argument)
        .select(EXPRESSION)
        .filter(at.each(PutLater))
        .modify(put_later)
        .select(STATEMENT)
        .filter(at.each(Guard))
        .modify(guard)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
        .select(EXPRESSION)
        .filter(at.each(Fold))
        .modify(fold)
    )
