"""Horovod 0.28 trains Keras 2 only, and from TensorFlow 2.16 on `tf.keras` is Keras 3.

`'Variable' object has no attribute 'ref'` is what Keras 3 says to Horovod's optimizers;
https://keras.io/getting_started, "TensorFlow + Keras 2 backwards compatibility".
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, DropNames, Insert, Places, drop_names, insert
from ..edits.patterns import IMPORT, STATEMENT
from ..facts import Facts
from ..facts.setup.legacy_keras import legacy_keras
from ..facts.setup.setup import Lines
from ._rewrite import Query, rewrite


def setting(facts: Facts) -> Iterator[At]:
    """The setting before the first import of anything else, and an `import os` that moves there."""
    for place, change in legacy_keras(facts).items():
        yield At(place, Insert(*change) if isinstance(change, Lines) else DropNames(change))


@rewrite(
    code="D100",
    name="use-legacy-keras",
    summary="Make tf.keras Keras 2 (only for TensorFlow 2.16 and later).",
    find=setting,
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
def use_legacy_keras(at: Places) -> Query:
    """Before the first import that could bring TensorFlow in."""
    return (
        Query()
        .select(IMPORT)
        .filter(at.each(DropNames))
        .modify(drop_names)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
    )
