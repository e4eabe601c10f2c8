"""Where a value is created: the syntax that makes it, or something that holds it inside.

A name, a choice, a call of a function of the project create nothing: the way goes on behind them.
What it ends at is an expression (`Adam()`, `args.rate`, `1`), or, where nobody can say what it is,
the syntax that is unknown: a parameter, a name that nothing binds.
"""

from __future__ import annotations

import ast
from collections import deque

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


class Creations(NamedTuple):
    """Everything that can be the value of an expression; `unknown`: what else may, and why."""

    items: tuple[Creation, ...]
    unknown: tuple[ast.AST, ...] = ()

    @property
    def complete(self) -> bool:
        """Nothing but `items` can flow in."""
        return not self.unknown

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The creating expressions themselves, without those that only hold the value inside."""
        return tuple(item.node for item in self.items if not item.path)

    @property
    def only(self) -> ast.AST | None:
        """The one creating expression when there is exactly one and nothing unknown."""
        is_one = self.complete and len(self.items) == 1 and not self.items[0].path
        return self.items[0].node if is_one else None


class Search:
    """One way back through the graph from an expression."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        # The node and the path inside of its value, and the last syntax that was passed.
        self._seen: set[tuple[int, Path]] = set()
        self._waiting: deque[tuple[int, Path, ast.AST]] = deque()
        self._items: dict[Creation, None] = {}
        self._unknown: dict[ast.AST, None] = {}
        self._is_nothing = True

    def run(self, expr: ast.AST) -> Creations:
        """The creations of an expression; one that nothing gets to is unknown itself."""
        self._begin(expr)
        while self._waiting:
            self._visit(*self._waiting.popleft())
        return self._found(expr)

    def only(self, expr: ast.AST) -> ast.AST | None:
        """`Creations.only`, which the second creation decides: no way is gone on behind it."""
        self._begin(expr)
        while self._waiting and len(self._items) < 2 and not self._unknown:
            self._visit(*self._waiting.popleft())
        return self._found(expr).only

    def _begin(self, expr: ast.AST) -> None:
        n = self._graph.ids.get(expr)
        if n is not None:  # an annotation has none: it is no value
            self._go(n, (), expr)

    def _found(self, expr: ast.AST) -> Creations:
        if self._is_nothing:
            self._unknown[expr] = None
        return Creations(tuple(self._items), tuple(self._unknown))

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
        if len(inside) > MOST:
            self._unknown[syntax] = None
            return
        for _, source in origin.operands:
            self._go(source, inside, syntax)


def _is_seen_through(origin: Origin) -> bool:
    """A container whose parts have edges of their own to where they are read."""
    return isinstance(origin.thing, Box)


def _inside(origin: Origin) -> Path:
    """Where in the value of its syntax something is that Python's own functions make."""
    return (EACH,) if origin.kind is Kind.COMPUTED else ()


def _is_silent(origin: Origin, key: object) -> bool:
    """None of a function that returns nothing."""
    return origin.kind is Kind.CONSTANT and origin.node is None and not isinstance(key, ast.AST)
