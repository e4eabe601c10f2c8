"""After its first step every worker takes over the state of worker 0, once for each optimizer.

Seed 001, `trans_S` on `apply_gradients`; https://horovod.readthedocs.io (TensorFlow).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Insert, Name, NameArgument, Places, insert, name, name_argument
from ..edits.patterns import CALL, STATEMENT
from ..facts import Facts
from ..facts.gradients.broadcast_flags import Broadcast
from ..facts.gradients.state_broadcasts import broadcasts, need_weak_references
from ..facts.gradients.trained_models import LOOPS
from . import _tape_example as example
from ._broadcasts import PAIRS, flag, flag_names
from ._broadcasts import lines as lines_of
from ._flag_lines import FlagLines
from ._import_edits import standard_import
from ._new_code import fresh, weakref
from ._rewrite import Query, rewrite


def states(facts: Facts) -> Iterator[At]:
    """Where gradients are applied, and where the flags are made."""
    found = broadcasts(facts)
    if need_weak_references(facts):
        lines = standard_import(facts, "weakref", weakref(facts))
        yield from (At(place, edit) for place, edit in lines.items())
    names, made = flag_names(facts, found), FlagLines(facts, found)
    for statement in dict.fromkeys([*made.before, *made.after]):
        before, after = made.before.get(statement, []), made.after.get(statement, [])
        is_apart = bool(before) and not isinstance(statement, LOOPS)
        space = "\n\n" if facts.top(statement) is statement else "\n"
        yield At(statement, Insert("".join(before) + space * is_apart, "".join(after)))
    for broadcast in (*found.batches, *found.applications):
        yield from _broadcast(facts, broadcast, flag(facts, broadcast, names))


def _broadcast(facts: Facts, broadcast: Broadcast, flag: str) -> Iterator[At]:
    """After the call; its pairs may be an iterator: a list of them can be read again."""
    call, code = broadcast.call, lines_of(facts, broadcast, flag)
    if broadcast.applied.argument is not None:
        pairs = Name(fresh(facts, PAIRS), template="list(_)")
        yield At(call, NameArgument(PAIRS, 0, pairs))
    if broadcast.is_nested:
        yield At(call, Name(fresh(facts, "applied"), code))
    else:
        yield At(call, Insert(after=code))


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
