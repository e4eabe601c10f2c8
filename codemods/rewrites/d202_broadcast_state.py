"""After its first step every worker takes over the state of worker 0, once for each optimizer.

Seed 001, `trans_S` on `apply_gradients`; https://horovod.readthedocs.io (TensorFlow).
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts import Facts
from ..facts.batches import LOOPS
from ..facts.broadcasts import Broadcast, broadcasts
from ..facts.tapes import tape_module
from . import _tape_example as example
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import argument, insert_after, insert_before, replace_expression


class State(NamedTuple):
    """Lines to insert at one place; `pairs` and `result` name its argument and its value."""

    before: str = ""
    after: str = ""
    pairs: str | None = None
    result: str | None = None


def states(facts: Facts) -> dict[ast.AST, State]:
    """Where gradients are applied, and where the flags are made."""
    found = broadcasts(facts)
    places: dict[ast.AST, State] = {}
    for statement in [*found.before, *found.after]:
        before, after = found.before.get(statement, []), found.after.get(statement, [])
        space = "" if isinstance(statement, LOOPS) or not before else "\n\n"
        places[statement] = State("".join(before) + space, "".join(after))
    for broadcast in found.calls:
        places[broadcast.call] = _state(facts, broadcast)
    return places


def _state(facts: Facts, broadcast: Broadcast) -> State:
    models = [broadcast.applied.code, *(f"{model}.variables" for model in broadcast.asked)]
    lines = (
        f"if not {broadcast.flag}:\n"
        + "".join(_call(facts, variables) for variables in [*models, broadcast.optimizer])
        + f"    {broadcast.flag}.assign(True)\n"
    )
    return State("", lines, broadcast.applied.pairs, broadcast.result)


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
def broadcast_state(at: Places[State]) -> Query:
    """Insert the flag beside the optimizer, the broadcast after the call."""

    def put(node: LN, capture: Capture, filename: str) -> None:
        state = at[node]
        if state.pairs is not None:
            _name_pairs(node, state.pairs)
        if state.before:
            insert_before(node, state.before)
        if state.result is not None:
            _name_result(node, state)
        elif state.after:
            insert_after(node, state.after)

    return Query().select("any").filter(at.here).modify(put)


def _name_pairs(call: LN, name: str) -> None:
    """The pairs may be an iterator: a list of them can be read again."""
    given = argument(call, "grads_and_vars", 0)
    insert_before(call, f"{name} = list({str(given).strip()})\n")
    replace_expression(given, name)


def _name_result(call: LN, state: State) -> None:
    """Give the call a statement of its own before the one that uses its value."""
    insert_before(call, f"{state.result} = {str(call).strip()}\n{state.after}")
    replace_expression(call, state.result)
