"""What a library's `map_structure(function, xs, ys)` calls its function with, and gives."""

from __future__ import annotations

from .boxes import box
from .core import Core
from .edges import Edge
from .origins import Call
from .python_rules import hold
from .things import Box, Thing
from .versions import EACH

_LISTS = ("list", "tuple", "generator")


def map_structure(core: Core, call: Call) -> None:
    """Of lists it makes a list; what other structures give to the function is unknown."""
    func = call.argument(0)
    if func is None or any(star for _, star in call.args):
        core.unknown(call.result)
        return
    made, inner = box(core, ("mapped", call.result), "list"), core.node(("mapped to", call.result))
    elements = []
    for n, _ in call.args[1:]:
        elements.append(core.load(n, EACH))
        core.watch(n, _is_given, core, elements[-1])
    core.call(call.again(inner, func, [(n, False) for n in elements], {}))
    core.edge(inner, made.rest, Edge.ELEMENT)
    hold(core, call, made)


def _is_given(thing: Thing, core: Core, element: int) -> None:
    if isinstance(thing, Box) and thing.kind not in _LISTS:
        core.unknown(element)
