"""Who asks for Keras 2 gets it: from TensorFlow 2.16 on `tf.keras` is Keras 3.

`'Variable' object has no attribute 'ref'` is what Keras 3 says to Horovod's optimizers;
https://keras.io/getting_started, "TensorFlow + Keras 2 backwards compatibility".
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, DropNames, Insert, Places, drop_names, insert
from ..edits.patterns import IMPORT, STATEMENT
from ..facts import Facts
from ..facts.setup.import_places import legacy_keras
from ._new_code import fresh
from ._rewrite import Query, rewrite

SETTING = '{os}.environ.setdefault("TF_USE_LEGACY_KERAS", "1")'


def setting(facts: Facts) -> Iterator[At]:
    """The setting before the first import of anything else, and an `import os` that moves there."""
    found = legacy_keras(facts)
    if found is None:
        return
    name = found.os or (fresh(facts, "os") if found.is_taken else "os")
    imported = "import os" if name == "os" else f"import os as {name}"
    for statement in found.later:
        yield At(statement, DropNames((name,)))
    above = "" if found.os else f"{imported}\n"
    yield At(found.place, Insert(f"{above}\n{SETTING.format(os=name)}\n\n"))


@rewrite(
    code="D100",
    name="use-legacy-keras",
    summary="Make tf.keras Keras 2 (TensorFlow 2.16 and later, where that is asked for).",
    find=setting,
    tensorflow=(2, 16),
    keras="legacy",
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
