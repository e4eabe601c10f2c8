"""Where a value is created: the syntax that makes it, or something that holds it inside.

A name, a choice, a call of a function of the project create nothing: the way goes on behind them.
What it ends at is an expression (`Adam()`, `args.rate`, `1`), or, where nobody can say what it is,
the syntax that is unknown: a parameter, a name that nothing binds.
"""

from __future__ import annotations

import ast
from collections import deque
from functools import cached_property

from .edges import VALUE
from .graph import Graph
from .origins import Kind, Origin
from .records import NamedTuple
from .things import Box
from .versions import EACH, ENTER, Path, Version

MOST = 8  # `for x in x` grows a path for ever
_VALUE: int = VALUE._value_
_PARTS = (Kind.MEMBER, Kind.UNKNOWN)
_BINDERS = (ast.Name, ast.arg, ast.alias)  # syntax that stands for a value made elsewhere


class Creation(NamedTuple):
    """A creating expression, or the part of its value at `path` (a number, or "each")."""

    node: ast.AST
    path: Path = ()


class Creations:
    """Everything that can be the value of an expression; only what is asked is searched for."""

    def __init__(self, graph: Graph, expr: ast.AST) -> None:
        self._graph, self._expr = graph, expr
        self._whole: _Found | None = None

    @property
    def items(self) -> tuple[Creation, ...]:
        """The creating expressions, also those that only hold the value inside."""
        return self._all.items

    @property
    def unknown(self) -> tuple[ast.AST, ...]:
        """What else may be the value: the syntax that nobody can follow."""
        return self._all.unknown

    @property
    def complete(self) -> bool:
        """Nothing but `items` can flow in."""
        return not self.unknown

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The creating expressions themselves, without those that only hold the value inside."""
        found = self._whole or Search(self._graph, is_whole=True).run(self._expr)
        return tuple(item.node for item in found.items if not item.path)

    @cached_property
    def only(self) -> ast.AST | None:
        """The one creating expression when there is exactly one and nothing unknown."""
        found = self._whole or Search(self._graph).run(self._expr, most=1)
        is_one = not found.unknown and len(found.items) == 1 and not found.items[0].path
        return found.items[0].node if is_one else None

    @property
    def _all(self) -> _Found:
        if self._whole is None:
            self._whole = Search(self._graph).run(self._expr)
        return self._whole


class _Found(NamedTuple):
    """What a search came to."""

    items: tuple[Creation, ...]
    unknown: tuple[ast.AST, ...]


class Search:
    """One way back through the graph from an expression.

    `is_whole`: what only holds the value inside is not looked for.
    """

    def __init__(self, graph: Graph, is_whole: bool = False) -> None:
        self._graph, self._is_whole = graph, is_whole
        # The node and the path inside of its value, and the last syntax that was passed.
        self._seen: set[tuple[int, Path]] = set()
        self._waiting: deque[tuple[int, Path, ast.AST]] = deque()
        self._items: dict[Creation, None] = {}
        self._unknown: dict[ast.AST, None] = {}
        self._is_nothing = True

    def run(self, expr: ast.AST, most: int | None = None) -> _Found:
        """The creations of an expression; one that nothing gets to is unknown itself.

        Behind more than `most` items, or something unknown, no way is gone on if that is given.
        """
        self._begin(expr)
        while self._waiting and not self._is_enough(most):
            self._visit(*self._waiting.popleft())
        if self._is_nothing:
            self._unknown[expr] = None
        return _Found(tuple(self._items), tuple(self._unknown))

    def _is_enough(self, most: int | None) -> bool:
        return most is not None and (len(self._items) > most or bool(self._unknown))

    def _begin(self, expr: ast.AST) -> None:
        n = self._graph.ids.get(expr)
        if n is not None:  # an annotation has none: it is no value
            self._go(n, (), expr)

    def _go(self, n: int, path: Path, syntax: ast.AST) -> None:
        if (n, path) not in self._seen:
            self._seen.add((n, path))
            self._waiting.append((n, path, syntax))

    def _visit(self, n: int, path: Path, syntax: ast.AST) -> None:
        graph, seen = self._graph, self._seen
        graph.count()
        key, origins, sources = graph.keys[n], graph.origins[n], graph.sources[n]
        if isinstance(key, ast.AST):
            syntax = key
        if origins:
            self._is_nothing = False
            for origin in origins:
                self._created(origin, n, path, syntax)
        elif origins is None and not sources:
            self._unknown[syntax] = None
        for label, source in sources:  # what `_go` does, at the place that is run most
            if label & _VALUE and (source, path) not in seen:
                seen.add((source, path))
                self._waiting.append((source, path, syntax))

    def _created(self, origin: Origin, n: int, path: Path, syntax: ast.AST) -> None:
        key, node = self._graph.keys[n], origin.node or syntax
        if isinstance(key, ast.arg):
            self._unknown[key] = None
        elif origin.operands and origin.kind in _PARTS and isinstance(node, _BINDERS):
            self._hold(origin, path, syntax)
        elif origin.kind is Kind.UNKNOWN:
            self._not_known(n, path, syntax)
        elif not (path and _is_seen_through(origin)) and not _is_silent(origin, key):
            inside = path if isinstance(key, ast.AST) else (*_inside(origin), *path)
            self._items[Creation(node, inside)] = None

    def _not_known(self, n: int, path: Path, syntax: ast.AST) -> None:
        """A call or attribute of something unknown is still the expression that creates it."""
        key = self._graph.keys[n]
        if isinstance(key, ast.expr) and not isinstance(key, _BINDERS):
            self._items[Creation(key, path)] = None
        else:
            binding = key.node if isinstance(key, Version) else None
            self._unknown[binding or syntax] = None

    def _hold(self, origin: Origin, path: Path, syntax: ast.AST) -> None:
        """A target of an unpacking or a loop: what is unpacked holds the value."""
        step = origin.name if isinstance(origin.name, int) and origin.name >= 0 else EACH
        inside = path if origin.name == ENTER else (step, *path)
        if self._is_whole and inside:
            return
        if len(inside) > MOST:
            self._unknown[syntax] = None
            return
        for _, source in origin.operands:
            self._go(source, inside, syntax)


def whole_ways(graph: Graph, n: int) -> list[int]:
    """Where a search for whole values may go from a node in one step, whatever it has passed."""
    found = [source for label, source in graph.sources[n] if label & _VALUE]
    for origin in graph.origins[n] or ():
        if origin.kind in _PARTS and origin.name == ENTER:
            found += [source for _, source in origin.operands]
    return found


def _is_seen_through(origin: Origin) -> bool:
    """A container whose parts have edges of their own to where they are read."""
    return isinstance(origin.thing, Box)


def _inside(origin: Origin) -> Path:
    """Where in the value of its syntax something is that Python's own functions make."""
    return (EACH,) if origin.kind is Kind.COMPUTED else ()


def _is_silent(origin: Origin, key: object) -> bool:
    """None of a function that returns nothing."""
    return origin.kind is Kind.CONSTANT and origin.node is None and not isinstance(key, ast.AST)
