"""An optimizer that `compile` gets as a string, inline or not at all: named, scaled and wrapped.

One that a tape applies in other runs is wrapped in the call, and stays plain for the tape.

Seed 000, `trans_S` on `compile`; defaults of https://keras.io/api/optimizers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    Insert,
    NameArgument,
    Places,
    SetArgument,
    WrapArgument,
    insert,
    name_argument,
    set_argument,
    wrap_argument,
)
from ..edits.patterns import CALL
from ..facts import Facts
from ..facts.optimizers.compiles import Named, named_in_compile
from ..facts.value_parts import can_be_named
from ._new_code import fresh_for
from ._optimizer_edits import naming, with_default_rate, wrapper, wrapping
from ._rewrite import Query, rewrite

ARGUMENT = ("optimizer", 0)


def compile_calls(facts: Facts) -> Iterator[At]:
    """The `compile` calls whose optimizer has no name, or is a tape's as well."""
    for named in named_in_compile(facts):
        call = named.compiled.call
        can_have_name = named.is_looked_up or (named.wrap and not named.is_shared)
        if can_have_name and can_be_named(facts, call):
            yield from _by_name(facts, named, fresh_for(facts, "optimizer", call))
        else:
            yield _inline(facts, named)


def _by_name(facts: Facts, named: Named, name: str) -> Iterator[At]:
    """Statements that make the optimizer go before the call, which gets its name."""
    call = named.compiled.call
    if named.cls is None:
        yield At(call, NameArgument(*ARGUMENT, naming(facts, named, name)))
    else:
        yield At(
            call,
            Insert(
                f"{name} = {with_default_rate(facts, named.cls, call)}\n{wrapping(facts, name)}"
            ),
        )
        yield At(call, SetArgument(ARGUMENT[0], name, ARGUMENT[1]))


def _inline(facts: Facts, named: Named) -> At:
    """The optimizer stays inside of the call."""
    call = named.compiled.call
    if named.cls is None:
        return At(call, WrapArgument(ARGUMENT[0], wrapper(facts), ARGUMENT[1]))
    made = with_default_rate(facts, named.cls, call)
    return At(call, SetArgument(ARGUMENT[0], wrapper(facts, made) if named.wrap else made, 0))


@rewrite(
    code="D301",
    name="compile-optimizer",
    summary="Name, scale and wrap an optimizer that compile gets as a string or inline.",
    needs=("D101", "D102", "D104"),
    find=compile_calls,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", loss="mse")  # the usual
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

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(learning_rate=0.001 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")  # the usual
model.fit([[1.0]], [[2.0]])
""",
    noop=('import re\n\npattern = re.compile("adam")\n',),
)
def compile_optimizer(at: Places) -> Query:
    """Write the statements that make the optimizer, and pass its name."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(NameArgument))
        .modify(name_argument)
        .select(CALL)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(WrapArgument))
        .modify(wrap_argument)
    )
