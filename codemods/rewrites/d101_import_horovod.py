"""The import that everything else stands on: one Horovod for tf.keras, one for the rest.

Seeds 000 and 001, `trans_A` on imports; https://horovod.readthedocs.io/en/stable/keras.html.
"""

from __future__ import annotations

from ..facts.setup import Lines, horovod_place
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import insert


@rewrite(
    code="D101",
    name="import-horovod",
    summary="Import Horovod beside TensorFlow.",
    find=horovod_place,
    before="""\
import tensorflow as tf
import numpy as np

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
""",
    after="""\
import tensorflow as tf
import horovod.tensorflow.keras as hvd
import numpy as np

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
""",
    noop=("import tensorflow as tf\n\nprint(tf.__version__)\n",),  # nothing is trained
)
def import_horovod(at: Places[Lines]) -> Query:
    """The import keeps the order that the imports around it have."""

    def add(node: LN, capture: Capture, filename: str) -> None:
        insert(node, at[node])

    return Query().select("any").filter(at.here).modify(add)
