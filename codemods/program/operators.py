"""Operators: of containers, of the project's own classes, and all others, which compute."""

from __future__ import annotations

import ast
import operator
from typing import Any, Callable

from .box_changes import merge
from .boxes import box, inherit
from .core import Core
from .edges import Edge
from .origins import Call, Kind, Origin
from .things import Box, Instance, Thing
from .versions import EACH

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.BitAnd: "and",
}
# What Python says of two values that are known.
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_JOINED = ("add", "mul", "or")


def operate(
    core: Core, node: ast.BinOp | ast.AugAssign, method: str, left: int, right: int
) -> None:
    """Let a node be what an operator makes of two others."""
    core.derived.add(core.node(node))
    operands = [("of", left), ("of", right)]
    origin = Origin(Kind.COMPUTED, "BinOp", node, operands)
    core.watch(left, _operand, core, method, left, right, origin, "__%s__")
    core.watch(right, _operand, core, method, right, left, origin, "__r%s__")


def _operand(
    thing: Thing, core: Core, method: str, own: int, other: int, origin: Origin, form: str
) -> None:
    target = core.node(origin.node)
    if isinstance(thing, Instance):
        found = core.load(own, (".", form % method))
        call = Call(target, found, [(other, False)], {}, origin.node)
        core.watch(found, core.call_thing, call)
    elif isinstance(thing, Box) and method in _JOINED:
        joined = _join(core, thing, origin, other if method == "mul" else None)
        if method != "mul" and own == origin.operands[0][1]:
            core.watch(other, _take_in, core, joined, other)
    elif own == origin.operands[0][1]:  # the left operand says what happens
        core.create(target, origin)


def _join(core: Core, operand: Box, origin: Origin, times: int | None) -> Box:
    """`[a] + [b]`, `[a] * 3`, `{…} | {…}`: a container with the elements of both."""
    n = core.place(("joined", origin.node))
    known = next((t for t in core.things[n] if isinstance(t, Box)), None)
    if known is None:
        kind = operand.kind if operand.kind in ("dict", "set") else "list"
        known = box(core, ("joined", origin.node), kind)
        core.add(n, known)
        core.hold(core.node(origin.node), known)
    core.note(operand.size, known.size, Edge.CONDITION)
    if times is not None:
        core.note(times, known.size, Edge.CONDITION)
    if known.kind == "dict" and operand.kind == "dict":
        inherit(core, known, operand)
    else:
        core.edge(operand.all, known.rest, Edge.ELEMENT)
    return known


def _take_in(thing: Thing, core: Core, joined: Box, other: int) -> None:
    """`[a] + others`: what is no container of the program's gives elements as well."""
    if isinstance(thing, (Box, Instance)):
        return
    if joined.kind == "dict":
        merge(thing, core, joined)
    else:
        core.edge(core.load(other, EACH), joined.rest, Edge.ELEMENT)
