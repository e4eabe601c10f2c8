"""Every process starts Horovod and takes the GPU of its own number, before anything uses one.

Seeds 000 and 001, `trans_A`; https://horovod.readthedocs.io/en/stable/tensorflow.html, steps 1, 2.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, insert
from ..edits.patterns import STATEMENT
from ..facts import Facts
from ..facts.setup.horovod_start import starts, way_to_start
from ._import_edits import behind_imports, tensorflow_import
from ._rewrite import Query, rewrite
from ._start_edits import is_pinned, start_code


def start(facts: Facts) -> Iterator[At]:
    """Behind the imports, or what is missing there; `import tensorflow as tf` beside them."""
    is_started = bool(starts(facts))
    if is_started and is_pinned(facts):
        return
    code = start_code(facts)
    for call in way_to_start(facts)[:1]:
        yield At(_late_import(facts, facts.statement(call)), Insert(after=code))
    own = {} if is_started else behind_imports(facts, code)
    for found in (own, tensorflow_import(facts)):
        for place, lines in found.items():
            yield At(place, lines)


def _late_import(facts: Facts, started: ast.stmt) -> ast.stmt:
    """The import of TensorFlow, where that stands behind the program's own start of Horovod."""
    if started not in facts.body:
        return started
    behind = facts.body[facts.body.index(started) + 1 :]
    imports = (s for s in behind if isinstance(s, (ast.Import, ast.ImportFrom)))
    late = [s for s in imports if any(_names_tensorflow(s, alias) for alias in s.names)]
    return late[0] if late else started


def _names_tensorflow(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    module = getattr(statement, "module", None) or alias.name
    return module.partition(".")[0] == "tensorflow"


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
def init_horovod(at: Places) -> Query:
    """As early as the imports allow: a process that has used its GPUs can't choose one."""
    return Query().select(STATEMENT).filter(at.each(Insert)).modify(insert)
