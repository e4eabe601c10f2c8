"""What has a say in a value without being a part of it: an index, a function that is handed on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .graph import Graph
from .origins import Kind, Label, Origin
from .things import Bound, Function

KEY = "key"  # the index of an element of an outside object, and the bounds of a slice
GIVEN = "given"  # what a function of the project gives that outside code is called with
_NO_ARGUMENTS = ("func", "receiver", "of", "base")


def influences(graph: Graph, n: int, origin: Origin) -> list[tuple[Label, int]]:
    """The nodes that have a say in what a node computes, with KEY or GIVEN."""
    if origin.kind is Kind.MEMBER:
        return list(_keys(graph, graph.keys[n]))
    found = _keys(graph, graph.keys[n]) if origin.kind is Kind.UNKNOWN else ()
    return [*found, *(_given(graph, origin) if origin.kind in (Kind.CALL, Kind.UNKNOWN) else ())]


def _keys(graph: Graph, key: object) -> Iterator[tuple[Label, int]]:
    if isinstance(key, tuple) and key[0] == "old":  # what `x[i] += 1` reads
        key = key[1].target
    for index in _indices(key.slice) if isinstance(key, ast.Subscript) else ():
        yield KEY, graph.node(index)


def _indices(expr: ast.expr) -> Iterator[ast.expr]:
    """The expressions that an index consists of: `i` and `n` of `[i, :n]`."""
    if isinstance(expr, ast.Slice):
        yield from (part for part in (expr.lower, expr.upper, expr.step) if part is not None)
    elif isinstance(expr, ast.Tuple):
        for element in expr.elts:
            yield from _indices(element)
    else:
        yield expr


def _given(graph: Graph, origin: Origin) -> Iterator[tuple[Label, int]]:
    for label, n in origin.operands:
        if label in _NO_ARGUMENTS:
            continue
        for thing in graph.things[n]:
            function = thing.function if isinstance(thing, Bound) else thing
            if isinstance(function, Function):
                yield GIVEN, graph.node((function, "result"))
