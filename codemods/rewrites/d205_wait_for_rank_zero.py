"""Before every worker reads a file that only rank 0 has written, they wait for it.

D203 and D302 leave the writing to rank 0; a faster worker would find no file, or half of it.
https://github.com/horovod/horovod/issues/202.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, insert
from ..edits.patterns import STATEMENT
from ..facts import Facts
from ..facts.output.reloads import waits
from ._new_code import hvd
from ._rewrite import Query, rewrite

WAIT = "{hvd}.broadcast(0, root_rank=0)  # wait for rank 0's file\n"
TELL = "{path} = {hvd}.broadcast_object({path}, root_rank=0)  # as rank 0 saved it\n"


def reads(facts: Facts) -> Iterator[At]:
    """Where every worker is about to read what rank 0 has written."""
    for place, path in waits(facts).items():
        wait = WAIT if path is None else TELL
        told = "" if path is None else ast.unparse(path)
        yield At(place, Insert(wait.format(hvd=hvd(facts), path=told)))


@rewrite(
    code="D205",
    name="wait-for-rank-zero",
    summary="Let every worker wait for a file of rank 0 before reading it.",
    needs=("D101", "D102", "D203"),
    find=reads,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
model.save("model.keras")

model = tf.keras.models.load_model("model.keras")
print(model(tf.ones((1, 4))))
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
if hvd.rank() == 0:
    model.save("model.keras")

hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
model = tf.keras.models.load_model("model.keras")
result = model(tf.ones((1, 4)))
if hvd.rank() == 0:
    print(result)
""",
    noop=(
        # it is read before it is written, and the other file is another one
        "import numpy as np\nimport tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\n'
        'model.load_weights("w.h5")\n'
        'model.fit(np.load("x.npy"), np.load("y.npy"))\n'
        'model.save_weights("w.h5")\n'
        'np.save("z.npy", model.get_weights()[0])\n',
    ),
)
def wait_for_rank_zero(at: Places) -> Query:
    """A broadcast of nothing: the others get it only when rank 0 has come to it."""
    return Query().select(STATEMENT).filter(at.each(Insert)).modify(insert)
