"""The import that everything else stands on: one Horovod for tf.keras, one for the rest.

Seeds 000 and 001, `trans_A` on imports; https://horovod.readthedocs.io/en/stable/keras.html.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Insert, Places, insert
from ..edits.patterns import STATEMENT
from ..facts import Facts
from ..facts.horovod import KERAS, MODULES, module_name
from ..facts.keras_version import is_keras_3
from ..facts.output.fit_callbacks import needs_callbacks
from ._import_edits import horovod_import
from ._rewrite import Query, rewrite


def horovod(facts: Facts) -> Iterator[At]:
    """Beside the import of TensorFlow; the callbacks' module where there is the other only."""
    has_other = module_name(facts, *MODULES) and not module_name(facts, *KERAS)
    needs_keras = has_other and not is_keras_3(facts) and needs_callbacks(facts)
    more = KERAS[:1] if needs_keras else ()
    for place, lines in horovod_import(facts, more).items():
        yield At(place, lines)


@rewrite(
    code="D101",
    name="import-horovod",
    summary="Import Horovod beside TensorFlow.",
    find=horovod,
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
def import_horovod(at: Places) -> Query:
    """The import keeps the order that the imports around it have."""
    return Query().select(STATEMENT).filter(at.each(Insert)).modify(insert)
