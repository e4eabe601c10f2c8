"""What the rules of Python's own functions and containers share."""

from __future__ import annotations

from typing import Callable

from .boxes import box, part
from .core import Core, contents
from .edges import Edge
from .origins import Call, Kind, Origin
from .sizes import sized
from .things import Box, Thing

PythonRule = Callable[[Core, Call], None]


def hold(core: Core, call: Call, thing: Thing) -> None:
    """Let a call give a thing."""
    core.hold(call.result, thing, Origin(Kind.THING, None, call.node, contents(thing), thing))


def rows_of(core: Core, call: Call, columns: list[int], sources: list[int]) -> Box:
    """A generator of tuples, one element from each column, as many as its sources have."""
    row = box(core, ("row", call.result), "tuple", len(columns))
    made = box(core, ("rows", call.result), "generator")
    for number, column in enumerate(columns):
        core.edge(column, part(core, row, number), Edge.ELEMENT)
    core.hold(made.rest, row)
    for source in sources:
        sized(core, made, source)
    hold(core, call, made)
    return made
