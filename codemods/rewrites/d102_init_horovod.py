"""Every process starts Horovod and takes the GPU of its own number, before anything uses one.

Seeds 000 and 001, `trans_A`; https://horovod.readthedocs.io/en/stable/tensorflow.html, steps 1, 2.
"""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.pinning import device_name
from ..facts.setup import Lines, init_lines, tensorflow_place
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import insert

INIT = """
{hvd}.init()
{gpus} = {tf}.config.list_physical_devices("GPU")
for {gpu} in {gpus}:
    {tf}.config.experimental.set_memory_growth({gpu}, True)
if {gpus}:
    {tf}.config.set_visible_devices({gpus}[{hvd}.local_rank()], "GPU")

"""


def start(facts: Facts) -> dict[ast.AST, tuple[Lines, ...]]:
    """Behind the imports; `import tensorflow as tf` among them where it is missing."""
    names = {"gpus": device_name(facts, "gpus"), "gpu": device_name(facts, "gpu")}
    code = INIT.format(hvd=facts.hvd, tf=facts.tf, **names)
    found: dict[ast.AST, tuple[Lines, ...]] = {
        place: (lines,) for place, lines in init_lines(facts, code).items()
    }
    for beside, lines in tensorflow_place(facts).items():
        found[beside] = (*found.get(beside, ()), lines)
    return found


@rewrite(
    code="D102",
    name="init-horovod",
    summary="Start Horovod and give each process one GPU.",
    needs=("D101",),
    find=start,
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

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
""",
    noop=("import tensorflow as tf\n\nprint(tf.__version__)\n",),  # nothing is trained
)
def init_horovod(at: Places[tuple[Lines, ...]]) -> Query:
    """As early as the imports allow: a process that has used its GPUs can't choose one."""

    def add(node: LN, capture: Capture, filename: str) -> None:
        for lines in at[node]:
            insert(node, lines)

    return Query().select("any").filter(at.here).modify(add)
