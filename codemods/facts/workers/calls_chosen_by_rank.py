"""Calls that run one function on some workers and another one on the others, by their number."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.collectives import collective
from ...program.things import Bound, Function, Library, Thing
from ..facts import Facts
from ..rank_domain import PICKED, Taint
from .collectives import Collective, collectives, held_by
from .same_collective_in_both_branches import Way


def picked_ways(facts: Facts) -> Iterator[Way]:
    """`{0: lead}.get(hvd.rank(), follow)()`, where only one of the two calls a collective."""
    for call in facts.index.calls:
        things = facts.program.things(call.func)
        if len(things) < 2:
            continue
        options = [{each.kind: each for each in _held(facts, call, thing)} for thing in things]
        for kind in dict.fromkeys(kind for option in options for kind in option):
            missing = sum(kind not in option for option in options)
            if missing and facts.program.value(PICKED, call.func) is Taint.RANK:
                found = next(option[kind] for option in options if kind in option)
                yield Way(found, call, call.func, call.func)


def _held(facts: Facts, call: ast.Call, thing: Thing) -> Iterator[Collective]:
    """The collectives that one of the functions of a call comes to."""
    if isinstance(thing, Library):
        kind = collective(thing.name)
        known = collectives(facts).get(call)
        if known is not None and known.kind == kind:
            yield known
        return
    function = thing.function if isinstance(thing, Bound) else thing
    if isinstance(function, Function):
        body = function.node.body
        yield from held_by(facts, body if isinstance(body, list) else [body])
