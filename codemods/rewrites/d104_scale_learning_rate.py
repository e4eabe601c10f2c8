"""N workers take an N times larger batch, so the learning rate grows with them.

Seeds 000 and 001, `trans_S` on optimizer constructors; https://horovod.readthedocs.io (Keras).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    Insert,
    Name,
    Places,
    Rename,
    SetArgument,
    Wrap,
    insert,
    name,
    rename,
    set_argument,
    wrap,
)
from ..edits.patterns import CALL, EXPRESSION
from ..facts import Facts
from ..facts.optimizers.learning_rates import (
    constructor_rates,
    is_kept_there,
    keeps_rates,
    set_rates,
)
from ..facts.optimizers.rate_carriers import ignored_rates
from ._new_code import fresh, scaled
from ._optimizer_edits import rates_behind
from ._rewrite import Query, rewrite


def rates(facts: Facts) -> Iterator[At]:
    """Where optimizers, schedules and callbacks get their rates, each place once."""
    if keeps_rates(facts):
        return
    for place, rate in {**constructor_rates(facts), **set_rates(facts)}.items():
        is_end = isinstance(place, ast.Constant) and not place.value and not rate.argument
        if is_end or is_kept_there(facts, place):
            continue  # a schedule ends there: nothing times the number of workers is nothing
        if rate.argument:
            yield At(place, SetArgument(rate.argument, scaled(facts, rate.default)))
        else:
            yield At(place, Wrap(each_times(facts) if rate.is_sequence else scaled(facts, "_")))
    for call, _ in ignored_rates(facts):
        yield At(call, Rename("learning_rate", argument="lr"))
    yield from rates_behind(facts)


def each_times(facts: Facts) -> str:
    """The same for every rate of a sequence."""
    value = fresh(facts, "value")
    return f"[{scaled(facts, value)} for {value} in _]"


@rewrite(
    code="D104",
    name="scale-learning-rate",
    summary="Scale the learning rate by the number of workers.",
    needs=("D101", "D102"),
    find=rates,
    before="""\
import tensorflow as tf

base = 0.1
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(base / 2 + 0.01, momentum=0.9)  # tuned by hand
model.compile(opt, loss="mse")
model.fit([[1.0]], [[2.0]])
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

base = 0.1
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD((base / 2 + 0.01) * hvd.size(), momentum=0.9)  # tuned by hand
model.compile(opt, loss="mse")
model.fit([[1.0]], [[2.0]])
""",
    noop=(
        # np.random.normal is no optimizer, and a schedule carries the scale itself
        "import numpy as np\nx = np.random.normal(0.1, size=3)\n",
    ),
)
def scale_learning_rate(at: Places) -> Query:
    """Multiply in place; a rate that was left out is written out."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(Rename))
        .modify(rename)
        .select(CALL)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(Name))
        .modify(name)
    )
