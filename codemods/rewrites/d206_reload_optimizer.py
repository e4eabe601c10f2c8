"""A model from a file goes on training with an optimizer whose gradients are averaged.

`load_model` gives it a plain one. Run on Keras 2.15: told which class Horovod has wrapped, it loads
a `.keras` file (else: `Could not locate class 'Adam'`); `hvd.load_model` can't, and leaves plain
what no wrapped optimizer was saved in. What takes the optimizer's place keeps its state.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..edits import (
    At,
    FoldCall,
    Insert,
    Places,
    SetArgument,
    Wrap,
    fold_call,
    insert,
    set_argument,
    wrap,
)
from ..edits.patterns import CALL, STATEMENT
from ..facts import Facts
from ..facts.keras_version import is_keras_3
from ..facts.optimizers.wrapped_optimizers import loads_to_distribute
from ..facts.output.reloads import StoredClass, loads_to_tell
from ._new_code import compressed, fresh, hvd, spell
from ._rewrite import Query, rewrite

DISTRIBUTED = '''\
def {name}(model):
    """Let a model from a file train with Horovod's optimizer, in its saved state."""
    if model.optimizer is not None:
        optimizer = {hvd}.DistributedOptimizer(model.optimizer{how})
        optimizer.build(model.trainable_variables)
        for variable, saved in zip(optimizer.variables, model.optimizer.variables):
            variable.assign(saved)
        model.optimizer = optimizer
    return model
'''


def loads(facts: Facts) -> Iterator[At]:
    """Calls of `load_model` that may read such a file, or whose model is trained on."""
    for call, classes in loads_to_tell(facts).items():
        yield At(call, SetArgument("custom_objects", display(facts, classes)))
        yield At(call, FoldCall())
    trained = [] if is_keras_3(facts) else loads_to_distribute(facts)
    name = fresh(facts, "distributed")
    for call in trained:
        yield At(call, Wrap(f"{name}(_)"))
    if trained:
        first = min((facts.top(facts.statement(call)) for call in trained), key=_line)
        function = DISTRIBUTED.format(name=name, hvd=hvd(facts), how=compressed(facts))
        yield At(first, Insert(f"\n\n{function}\n\n"))


def _line(statement: ast.stmt) -> int:
    return statement.lineno


def display(facts: Facts, classes: Iterable[StoredClass]) -> str:
    """The classes by the names that a file has for them."""
    items = (f'"{name}": {spell(facts, full) if full else name}' for name, full in classes)
    return f"{{{', '.join(items)}}}"


@rewrite(
    code="D206",
    name="reload-optimizer",
    summary="Let a model from a file train on with an optimizer that Horovod has wrapped.",
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
    """What is loaded to train goes through the function, which is written above."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
