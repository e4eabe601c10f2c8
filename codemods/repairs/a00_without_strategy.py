"""A program that `tf.distribute` distributes is written for one device again.

https://www.tensorflow.org/tutorials/distribute/custom_training, read backwards.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    DropBranch,
    Insert,
    LeaveBlock,
    Places,
    Remove,
    Replace,
    drop_branch,
    insert,
    leave_block,
    remove,
    replace,
)
from ..edits.patterns import COMPOUND, CONDITION, STATEMENT
from ..facts import Facts
from ..rewrites._import_edits import standard_import
from ..rewrites._new_code import contextlib
from ._repair import Query, repair
from ._strategies import nothing_else
from ._strategy_edits import Asked, gone, new_code, outermost
from ._strategy_names import Strategies
from ._strategy_obstacles import first_in_the_way, looked_at


def uses(facts: Facts) -> Iterator[At]:
    """The strategy, its scopes, and what is asked of it; nothing where one use is unknown."""
    if first_in_the_way(facts) is not None:
        return
    device, scopes, asked = looked_at(facts)
    yield from outermost(facts, edits(facts, device.found, scopes, asked))
    if nothing_else(facts) in asked.values():
        lines = standard_import(facts, "contextlib", contextlib(facts))
        yield from (At(place, edit._replace(distance=0)) for place, edit in lines.items())


def left_by(facts: Facts) -> Iterator[ast.AST]:
    """A place at which nobody knows what a strategy is, or does."""
    place = first_in_the_way(facts)
    yield from () if place is None else (place,)


def edits(facts: Facts, found: Strategies, scopes: list[ast.With], asked: Asked) -> Iterator[At]:
    """All that is known to go, or to be replaced."""
    statements = gone(facts, found, asked)
    new = dict(new_code(facts, found, asked))
    yield from found.tpus.edits(statements, new)
    yield from (At(each, Remove()) for each in statements)
    yield from (At(node, Replace(code)) for node, code in new.items())
    yield from (At(scope, Remove()) for scope in scopes)
    yield from (At(scope, LeaveBlock(), tuple(scope.body)) for scope in scopes)


@repair(
    code="A00",
    name="without-strategy",
    title="Take tf.distribute out: Horovod distributes in its place.",
    answers=("N01",),
    is_automatic=False,
    find=uses,
    in_the_way=left_by,
    before="""\
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    # on all devices
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
batch = 4 * strategy.num_replicas_in_sync
model.fit(tf.ones((8, 4)), tf.ones((8, 1)), batch_size=batch)
""",
    after="""\
import tensorflow as tf

# on all devices
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
batch = 4
model.fit(tf.ones((8, 4)), tf.ones((8, 1)), batch_size=batch)
""",
    noop=(
        # what a replica asks for itself; devices of another kind
        "import tensorflow as tf\n\nstrategy = tf.distribute.MirroredStrategy()\n"
        "with strategy.scope():\n"
        "    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        '    model.compile("sgd", "mse")\n'
        "context = tf.distribute.get_replica_context()\n"
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
        "import tensorflow as tf\n\n"
        "tpu = tf.distribute.cluster_resolver.TPUClusterResolver()\n"
        "strategy = tf.distribute.TPUStrategy(tpu)\n"
        "with strategy.scope():\n"
        "    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        '    model.compile("sgd", "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
    ),
)
def without_strategy(at: Places) -> Query:
    """What a scope holds leaves it before it goes."""
    return (
        Query()
        .select(CONDITION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(COMPOUND)
        .filter(at.each(LeaveBlock))
        .modify(leave_block)
        .select(COMPOUND)
        .filter(at.each(DropBranch))
        .modify(drop_branch)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(STATEMENT)
        .filter(at.each(Remove))
        .modify(remove)
    )
