"""The optimizers that Keras trains with average their gradients over the workers.

Seed 000, `trans_S` on optimizers; https://horovod.readthedocs.io/en/stable/keras.html. The wrapper
is a new object built from the old one's config, so it takes its place where that is made.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts import Facts
from ..facts.naming import bound_to, can_be_named
from ..facts.optimizers import users_schedule, wrapped
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import name_before, rebind, wrap


class Wrap(NamedTuple):
    """How one optimizer is wrapped: after its statement, before it, or where it stands."""

    hvd: str
    bound: str | None
    named: str | None
    with_schedule: bool


def optimizers(facts: Facts) -> dict[ast.AST, Wrap]:
    """The creating calls of the optimizers that Keras trains with."""
    return {call: _how(facts, call) for call in wrapped(facts)}


def _how(facts: Facts, call: ast.Call) -> Wrap:
    with_schedule = users_schedule(facts, call)
    bound = bound_to(facts, call)
    needs_name = with_schedule and bound is None and can_be_named(facts, call)
    return Wrap(facts.hvd, bound, facts.fresh("optimizer") if needs_name else None, with_schedule)


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
def wrap_optimizer(at: Places[Wrap]) -> Query:
    """Put the wrapped optimizer under the name that the plain one had."""

    def put(node: LN, capture: Capture, filename: str) -> None:
        how = at[node]
        if how.bound is not None:
            rebind(node, how.bound, how.hvd, how.with_schedule)
        elif how.named is not None:
            name_before(node, how.named, how.hvd, how.with_schedule)
        else:
            wrap(node, f"{how.hvd}.DistributedOptimizer(_)")

    return Query().select("any").filter(at.here).modify(put)
