"""Only rank 0 draws the progress bar of `evaluate` and `predict`; every worker still runs them.

Seed 000, `trans_S` on model methods; https://horovod.readthedocs.io/en/stable/keras.html.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    FoldCall,
    Insert,
    Places,
    SetArgument,
    WrapArgument,
    fold_call,
    insert,
    set_argument,
    wrap_argument,
)
from ..edits.patterns import CALL, STATEMENT
from ..facts import Facts
from ..facts.training import fits
from ._rewrite import Query, rewrite
from ._verbose import TESTS, binding, is_loud, quiet


def tests(facts: Facts) -> Iterator[At]:
    """Calls of Keras models that may draw a progress bar."""
    yield from (At(place, lines) for place, lines in binding(facts, TESTS).items())
    for call in fits.tests(facts):
        if is_loud(facts, call):
            yield At(call, quiet(facts, call))
            yield At(call, FoldCall())


@rewrite(
    code="D303",
    name="evaluate-predict",
    summary="Let only rank 0 draw the progress bar of evaluate and predict.",
    find=tests,
    needs=("D101", "D102"),
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((64, 4)), tf.ones((64, 1)))
model.evaluate(tf.ones((8, 4)), tf.ones((8, 1)), verbose=2)
model.evaluate(tf.ones((2, 4)), tf.ones((2, 1)))
model.predict(tf.ones((8, 4)))
""",
    after="""\
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

verbose = 1 if hvd.rank() == 0 else 0

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((64, 4)), tf.ones((64, 1)))
model.evaluate(tf.ones((8, 4)), tf.ones((8, 1)), verbose=2 if hvd.rank() == 0 else 0)
model.evaluate(tf.ones((2, 4)), tf.ones((2, 1)), verbose=verbose)
model.predict(tf.ones((8, 4)), verbose=verbose)
""",
    noop=(
        "from sklearn.svm import SVC\n\nprint(SVC().fit(x, y).predict(x))\n",  # no Keras model
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential()\nmodel.predict(x, verbose=0)\n",
    ),
)
def evaluate_predict(at: Places) -> Query:
    """Every worker tests, as all of them must do the same between training steps."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
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
