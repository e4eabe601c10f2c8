"""Horovod 0.28 trains Keras 2 only, and from TensorFlow 2.16 on `tf.keras` is Keras 3.

`'Variable' object has no attribute 'ref'` is what Keras 3 says to Horovod's optimizers;
https://keras.io/getting_started, "TensorFlow + Keras 2 backwards compatibility".
"""

from __future__ import annotations

from ..facts.legacy_keras import legacy_keras
from ..facts.setup import Lines
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import drop_names, insert


@rewrite(
    code="D100",
    name="use-legacy-keras",
    summary="Make tf.keras Keras 2 (only for TensorFlow 2.16 and later).",
    find=legacy_keras,
    tensorflow=(2, 16),
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    after="""\
import os

os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=("import keras\n",),
)
def use_legacy_keras(at: Places[Lines | tuple[str, ...]]) -> Query:
    """Before the first import that could bring TensorFlow in."""

    def add(node: LN, capture: Capture, filename: str) -> None:
        change = at[node]
        insert(node, change) if isinstance(change, Lines) else drop_names(node, change)

    return Query().select("any").filter(at.here).modify(add)
