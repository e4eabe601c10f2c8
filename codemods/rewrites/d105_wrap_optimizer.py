"""The optimizers that Keras trains with average their gradients over the workers.

Seed 000, `trans_S` on optimizers; https://horovod.readthedocs.io/en/stable/keras.html. The wrapper
is a new object built from the old one's config, so it takes its place where that is made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    Insert,
    Name,
    Places,
    Replace,
    TakeOut,
    Wrap,
    insert,
    name,
    replace,
    take_out,
    wrap,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.keras_version import is_keras_3
from ..facts.optimizers.rate_carriers import is_of_graph
from ..facts.optimizers.wrapped_optimizers import optimizers_to_wrap, users_schedule
from ..facts.value_parts import bound_to, can_be_named
from ._averaging_models import compiled_models
from ._graph_gradients import averaged
from ._new_code import fresh_for
from ._optimizer_edits import decays, named_for_rate, schedule_afterwards, wrapper, wrapping
from ._rewrite import Query, rewrite


def optimizers(facts: Facts) -> Iterator[At]:
    """The creating calls of the optimizers that Keras trains with; Keras 3 trains by the model."""
    if is_keras_3(facts):
        yield from compiled_models(facts)
    for call in dict.fromkeys(optimizers_to_wrap(facts)):
        yield from _wrap(facts, call)
    yield from averaged(facts)


def _wrap(facts: Facts, call: ast.Call) -> Iterator[At]:
    """After the statement under the same name, before it under a new one, or where it stands."""
    bound, with_schedule = bound_to(facts, call), users_schedule(facts, call)
    can_get_name, named = can_be_named(facts, call), named_for_rate(facts, call, wraps=True)
    is_plain = is_of_graph(facts, call) and not decays(facts, call)
    if bound is not None:
        yield from [At(call, schedule_afterwards(bound))] if with_schedule else []
        yield At(call, Insert(after=wrapping(facts, bound)))
    elif named is not None:
        yield At(call, named)
    elif can_get_name and (with_schedule or is_plain):
        new = fresh_for(facts, "optimizer", call)
        first = schedule_afterwards(new) if with_schedule else None
        yield At(call, Name(new, wrapping(facts, new), first=first))
    else:
        yield At(call, Wrap(wrapper(facts)))


@rewrite(
    code="D105",
    name="wrap-optimizer",
    summary="Average the gradients over the workers: wrap the optimizer where it is made.",
    needs=("D101", "D102"),
    find=optimizers,
    before="""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)  # tuned by hand
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

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)  # tuned by hand
opt = hvd.DistributedOptimizer(opt)
model.compile(opt, loss="mse")
model.fit([[1.0]], [[2.0]])
""",
    noop=("import tensorflow as tf\n\nopt = tf.keras.optimizers.SGD(0.1)  # trains nothing\n",),
)
def wrap_optimizer(at: Places) -> Query:
    """Put the wrapped optimizer under the name that the plain one had."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(CALL)
        .filter(at.each(TakeOut))
        .modify(take_out)
        .select(CALL)
        .filter(at.each(Insert))
        .modify(insert)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(Name))
        .modify(name)
        .select(CALL)
        .filter(at.each(Wrap))
        .modify(wrap)
    )
