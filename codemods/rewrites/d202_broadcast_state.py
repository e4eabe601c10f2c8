"""After its first step every worker takes over the state of worker 0, once for each optimizer.

Seed 001, `trans_S` on `apply_gradients`; https://horovod.readthedocs.io (TensorFlow).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Insert, Name, NameArgument, Places, insert, name, name_argument
from ..edits.patterns import CALL, STATEMENT
from ..facts import Facts
from ..facts.gradients.batches import LOOPS
from ..facts.gradients.broadcasts import Broadcast, broadcasts
from ..facts.gradients.tapes import tape_module
from . import _tape_example as example
from ._rewrite import Query, rewrite


def states(facts: Facts) -> Iterator[At]:
    """Where gradients are applied, and where the flags are made."""
    found = broadcasts(facts)
    for statement in dict.fromkeys([*found.before, *found.after]):
        before, after = found.before.get(statement, []), found.after.get(statement, [])
        space = "" if isinstance(statement, LOOPS) or not before else "\n\n"
        yield At(statement, Insert("".join(before) + space, "".join(after)))
    for broadcast in found.calls:
        yield from _broadcast(facts, broadcast)


def _broadcast(facts: Facts, broadcast: Broadcast) -> Iterator[At]:
    """After the call; its pairs may be an iterator: a list of them can be read again."""
    call, pairs = broadcast.call, broadcast.applied.pairs
    if pairs is not None:
        yield At(call, NameArgument("grads_and_vars", 0, Name(pairs, template="list(_)")))
    if broadcast.result is None:
        yield At(call, Insert(after=_lines(facts, broadcast)))
    else:
        yield At(call, Name(broadcast.result, _lines(facts, broadcast)))


def _lines(facts: Facts, broadcast: Broadcast) -> str:
    models = [broadcast.applied.code, *(f"{model}.variables" for model in broadcast.asked)]
    return (
        f"if not {broadcast.flag}:\n"
        + "".join(_call(facts, variables) for variables in [*models, broadcast.optimizer])
        + f"    {broadcast.flag}.assign(True)\n"
    )


def _call(facts: Facts, variables: str) -> str:
    return f"    {tape_module(facts)}.broadcast_variables({variables}, root_rank=0)\n"


@rewrite(
    code="D202",
    name="broadcast-state",
    summary="Broadcast the variables of model and optimizer from worker 0 after the first step.",
    needs=("D101", "D102"),
    find=states,
    before=example.BEFORE,
    after=example.after(
        beside_optimizer="broadcast_done = tf.Variable(False, trainable=False)\n",
        behind_step="""\
    if not broadcast_done:
        hvd.broadcast_variables([w], root_rank=0)
        hvd.broadcast_variables(opt.variables, root_rank=0)
        broadcast_done.assign(True)
""",
    ),
    noop=("def apply_gradients(pairs):\n    pass\n\n\napply_gradients([])\n",),
)
def broadcast_state(at: Places) -> Query:
    """Insert the flag beside the optimizer, the broadcast after the call."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(NameArgument))
        .modify(name_argument)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(Name))
        .modify(name)
    )
