"""`load_model` is told which class stands behind the optimizer that Horovod has wrapped.

Run on Keras 2.15: else a `.keras` file can't be loaded again, `Could not locate class 'Adam'`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..edits import At, FoldCall, Places, SetArgument, fold_call, set_argument
from ..edits.patterns import CALL
from ..facts import Facts
from ..facts.output.saved_models import StoredClass, loads_to_tell
from ._new_code import spell
from ._rewrite import Query, rewrite


def loads(facts: Facts) -> Iterator[At]:
    """Calls of `load_model` that may read such a file."""
    for call, classes in loads_to_tell(facts).items():
        yield At(call, SetArgument("custom_objects", display(facts, classes)))
        yield At(call, FoldCall(alone=True))


def display(facts: Facts, classes: Iterable[StoredClass]) -> str:
    """The classes by the names that a file has for them."""
    items = (f'"{name}": {spell(facts, full) if full else name}' for name, full in classes)
    return f"{{{', '.join(items)}}}"


@rewrite(
    code="D206",
    name="reload-optimizer",
    summary="Tell load_model the class of the optimizer that Horovod has wrapped.",
    needs=("D101", "D102", "D105"),
    find=loads,
    before="""\
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam(0.01)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer, "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
model.save("model.keras")
model = tf.keras.models.load_model("model.keras")
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

optimizer = tf.keras.optimizers.Adam(0.01)
optimizer = hvd.DistributedOptimizer(optimizer)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer, "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
model.save("model.keras")
model = tf.keras.models.load_model(
    "model.keras", custom_objects={"Adam": tf.keras.optimizers.Adam}
)
""",
    noop=(
        # the other formats don't remember the class, and without the optimizer nobody asks for it
        "import tensorflow as tf\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n"
        'model.save("model.h5")\n'
        'model = tf.keras.models.load_model("model.h5")\n'
        "model.save(path)\n"
        "model = tf.keras.models.load_model(path, compile=False)\n",
    ),
)
def reload_optimizer(at: Places) -> Query:
    """Only calls that say nothing about it themselves."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
