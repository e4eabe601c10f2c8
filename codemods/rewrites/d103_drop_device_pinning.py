"""A process that has pinned itself to one GPU can't take the one of its rank.

Seeds 000 and 001, `trans_S` on assignments to os.environ['CUDA_VISIBLE_DEVICES'].
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, DropNames, Places, Remove, drop_names, remove
from ..edits.patterns import IMPORT, STATEMENT
from ..facts import Facts
from ..facts.output.open_sinks import need_null_device
from ..facts.setup.import_places import legacy_keras
from ..facts.setup.pinning import pinning, unused_names
from ..program.node_fields import within
from ._new_code import hvd, tf
from ._rewrite import Query, rewrite


def pinned(facts: Facts) -> Iterator[At]:
    """The statements to remove, and the imports that nothing else uses, with those names."""
    gone = pinning(facts)
    for statement, is_outermost in gone.items():
        if is_outermost:
            inside = (node for node in within(statement) if node is not statement)
            along = tuple(node for node in inside if node in gone)
            yield At(statement, Remove(commented=True), along)
    if (
        gone and not need_null_device(facts) and not legacy_keras(facts)
    ):  # `os`, by what they insert
        used = {tf(facts), hvd(facts)}  # by what the others insert
        for statement, unused in unused_names(facts, gone).items():
            names = tuple(name for name in unused if name not in used)
            if names:
                yield At(statement, DropNames(names))


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
def drop_device_pinning(at: Places) -> Query:
    """The choice goes, with what served nothing else."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Remove))
        .modify(remove)
        .select(IMPORT)
        .filter(at.each(DropNames))
        .modify(drop_names)
    )
