"""An optimizer that `compile` gets as a string, inline or not at all: named, scaled and wrapped.

Seed 000, `trans_S` on `compile`; defaults of https://keras.io/api/optimizers.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts import Facts
from ..facts.named_optimizers import Named, named_in_compile
from ..facts.naming import can_be_named
from ..facts.optimizers import users_schedule
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import (
    argument,
    insert_before,
    name_before,
    replace_expression,
    set_argument,
    wrap,
    wrapping,
)


class Compile(NamedTuple):
    """What one `compile` call gets: `code` where it names no optimizer object itself."""

    hvd: str
    code: str | None
    name: str | None  # None: stays inside of the call
    wrap: bool
    with_schedule: bool


def compile_calls(facts: Facts) -> dict[ast.AST, Compile]:
    """The `compile` calls whose optimizer has no name."""
    return {named.compiled.call: _how(facts, named) for named in named_in_compile(facts)}


def _how(facts: Facts, named: Named) -> Compile:
    given = named.compiled.optimizer
    with_schedule = (
        named.code is None and isinstance(given, ast.Call) and users_schedule(facts, given)
    )
    name = (
        facts.fresh("optimizer")
        if named.wrap and can_be_named(facts, named.compiled.call)
        else None
    )
    return Compile(facts.hvd, named.code, name, named.wrap, with_schedule)


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
def compile_optimizer(at: Places[Compile]) -> Query:
    """Write the statements that make the optimizer, and pass its name."""

    def put(node: LN, capture: Capture, filename: str) -> None:
        how = at[node]
        given = argument(node, "optimizer", 0)
        if how.name is None:
            _inline(node, given, how)
        elif how.code is None:
            name_before(given, how.name, how.hvd, how.with_schedule)
        else:
            insert_before(node, f"{how.name} = {how.code}\n" + wrapping(how.name, how.hvd))
            _pass(node, given, how.name)

    return Query().select("any").filter(at.here).modify(put)


def _inline(node: LN, given: LN | None, how: Compile) -> None:
    template = f"{how.hvd}.DistributedOptimizer(_)" if how.wrap else "_"
    if how.code is None:
        wrap(given, template)
    else:
        _pass(node, given, template.replace("_", how.code, 1))


def _pass(node: LN, given: LN | None, code: str) -> None:
    if given is None:
        set_argument(node, "optimizer", code)
    else:
        replace_expression(given, code)
