"""Only rank 0 draws the progress bar of `evaluate` and `predict`; every worker still runs them.

Seed 000, `trans_S` on model methods; https://horovod.readthedocs.io/en/stable/keras.html.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts import Facts, fits
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import fold_around, parentheses, quiet

CALL = "power< any+ > | trailer< '(' any* ')' >"


class Test(NamedTuple):
    """A call of `evaluate` or `predict`."""

    hvd: str
    verbose: int | None  # where it stands by position


def tests(facts: Facts) -> dict[ast.Call, Test]:
    """Calls of Keras models that may draw a progress bar."""
    loud = (call for call in fits.tests(facts) if fits.is_loud(facts, call))
    return {call: Test(facts.hvd, fits.position(call, "verbose")) for call in loud}


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

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((64, 4)), tf.ones((64, 1)))
model.evaluate(tf.ones((8, 4)), tf.ones((8, 1)), verbose=2 if hvd.rank() == 0 else 0)
""",
    noop=(
        "from sklearn.svm import SVC\n\nprint(SVC().fit(x, y).predict(x))\n",  # no Keras model
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential()\nmodel.predict(x, verbose=0)\n",
    ),
)
def evaluate_predict(at: Places[Test]) -> Query:
    """Every worker tests, as all of them must do the same between training steps."""

    def silence(node: LN, capture: Capture, filename: str) -> None:
        quiet(node, at[node].hvd, at[node].verbose)
        fold_around(parentheses(node))

    return Query().select(CALL).filter(at.here).modify(silence)
