"""A process that has pinned itself to one GPU can't take the one of its rank.

Seeds 000 and 001, `trans_S` on assignments to os.environ['CUDA_VISIBLE_DEVICES'].
"""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.legacy_keras import legacy_keras
from ..facts.pinning import pinning, unused_names
from ..facts.sinks import needs_os
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import drop_names, remove_statement

Names = tuple[str, ...]


def pinned(facts: Facts) -> dict[ast.AST, bool | Names]:
    """The statements to remove, and the imports that nothing else uses, with those names."""
    gone = pinning(facts)
    is_needed = needs_os(facts) or legacy_keras(facts)  # `os`, by what another rule inserts
    left_over = {} if not gone or is_needed else unused_names(facts, gone)
    return {**gone, **left_over}


@rewrite(
    code="D103",
    name="drop-device-pinning",
    summary="Drop the program's own choice of a GPU.",
    needs=("D101", "D102"),
    find=pinned,
    before="""\
import os

import tensorflow as tf

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
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
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=(
        # no GPU at all is a choice that holds for every process
        "import os\n\nos.environ['CUDA_VISIBLE_DEVICES'] = '-1'\n",
        "import os\n\nos.environ['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID'\n",
    ),
)
def drop_device_pinning(at: Places[bool | Names]) -> Query:
    """The choice goes, with what served nothing else."""

    def drop(node: LN, capture: Capture, filename: str) -> None:
        gone = at[node]
        if isinstance(gone, tuple):
            drop_names(node, gone)
        elif gone:  # else what it stands in goes
            remove_statement(node)

    return Query().select("any").filter(at.here).modify(drop)
