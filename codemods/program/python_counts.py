"""What `range` and `len` give: numbers, and how far they go."""

from __future__ import annotations

from .boxes import box
from .calls import outside
from .core import Core
from .edges import Edge
from .origins import Call, Kind, Origin
from .python_iterators import first
from .python_rules import PythonRule, hold
from .sizes import TURNS, length
from .things import Thing


def _range(core: Core, call: Call) -> None:
    """A counter: how far it gets is its size, and no part of the numbers."""
    made, number = box(core, ("range", call.result), "generator"), core.place(("n", call.result))
    values = call.values()
    operands = [("of", n) for n in values if len(values) > 1 and n != values[1]]
    core.create(number, Origin(Kind.COMPUTED, "counter", call.node, operands))
    core.edge(number, made.rest, Edge.ELEMENT)
    if len(values) > 2:
        turns = Origin(Kind.COMPUTED, TURNS, call.node, [("of", n) for n in values])
        core.create(made.size, turns)
    else:
        for n in values:
            core.note(n, made.size, Edge.COMPUTED)
    hold(core, call, made)


def _len(core: Core, call: Call) -> None:
    core.watch(first(core, call), _length, core, call)


def _length(thing: Thing, core: Core, call: Call) -> None:
    if not length(thing, core, call):
        outside(core, call, "builtins.len")


COUNTS: dict[str, PythonRule] = {"builtins.len": _len, "builtins.range": _range}
