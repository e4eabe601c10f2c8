"""One walk over a module: each node of the syntax by the row of its class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Callable

from .attribute_stores import named
from .boxes import chosen
from .core import SLICE, Store
from .engine import Engine
from .keys import constant_key
from .node_fields import nodes_in
from .origins import Kind, Origin, Step
from .parts import FUNCTIONS
from .records import NamedTuple
from .sizes import rounds
from .sources import Source
from .things import Class, Function

_SCOPES = frozenset((*FUNCTIONS, ast.ClassDef))
_BINDINGS = frozenset(
    (
        ast.Name,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Import,
        ast.ImportFrom,
        ast.ExceptHandler,
    )
)


class Surroundings(NamedTuple):
    """The innermost function and class around a node, and its statement."""

    function: Function | None = None
    cls: Class | None = None
    statement: ast.stmt | None = None


class Rows:
    """The nodes and edges of one module."""

    def __init__(self, engine: Engine, source: Source) -> None:
        self.engine, self.source, self.order = engine, source, source.order
        self.core, self.variables = engine.core, engine.variables
        for iterable in source.order.iterables:
            self.variables.iterables.add(iterable)
            rounds(self.core, iterable)
        self.around = Surroundings()
        self.functions: dict[ast.AST, Function] = {}
        self.classes: dict[ast.AST, Class] = {}
        self._places: dict[ast.AST, Surroundings] = {}

    def walk(self, table: dict[type[ast.AST], Callable[[Rows, Any], None]]) -> None:
        """Add everything of the module."""
        self._visit(table)
        for target, value, path in self.order.stores:
            assert isinstance(target, (ast.Attribute, ast.Subscript))
            self.around = self._places.get(target, Surroundings())
            node = self.core.node(value)
            for step in path:
                node = self.core.load(node, step)
            for base, name in stored(target):
                key = self._key(target)
                store = Store(name, node, self.conditions(), key)
                self.core.store(self.core.node(base), store)

    def _key(self, target: ast.Attribute | ast.Subscript) -> int | None:
        """The node of a key that is not written out."""
        is_written = isinstance(target, ast.Attribute) or step_of(target) != ("[", None)
        return None if is_written else self.core.node(target.slice)  # type: ignore[union-attr]

    def _visit(self, table: dict[type[ast.AST], Callable[[Rows, Any], None]]) -> None:
        stack: list[tuple[ast.AST, Surroundings]] = [(self.source.node, self.around)]
        bound_in = self.engine.conditions.functions
        while stack:
            node, around = stack.pop()
            self.core.count()
            if isinstance(node, ast.stmt):
                around = Surroundings(around.function, around.cls, node)
            self.around = around
            kind = type(node)
            if around.function is not None and kind in _BINDINGS:
                bound_in[node] = around.function
            row = table.get(kind)
            if row is not None:
                row(self, node)
            elif isinstance(node, ast.expr):
                self.compute(node)
            if kind in _SCOPES:
                stack += self._inside(node, around)
            else:
                stack += [(part, around) for part in reversed(nodes_in(node))]

    def _inside(
        self, node: ast.AST, around: Surroundings
    ) -> Iterator[tuple[ast.AST, Surroundings]]:
        """The parts of a function or class with what is around them."""
        if isinstance(node, FUNCTIONS):
            inner = Surroundings(self.functions[node], around.cls, around.statement)
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            yield from ((part, inner) for part in body)
            yield node.args, around
            yield from ((part, around) for part in getattr(node, "decorator_list", ()))
            returned = getattr(node, "returns", None)
            yield from [] if returned is None else [(returned, around)]
        elif isinstance(node, ast.ClassDef):
            inner = Surroundings(None, self.classes[node], around.statement)
            yield from ((part, inner) for part in node.body)
            outer = (*node.bases, *node.keywords, *node.decorator_list)
            yield from ((part, around) for part in outer)

    def compute(self, node: ast.expr) -> None:
        """Let an expression be computed from the expressions inside."""
        node_of = self.core.node
        children = [c for c in reversed(nodes_in(node)) if isinstance(c, ast.expr)]
        operands = [("of", node_of(child)) for child in children]
        self.core.create(node_of(node), Origin(Kind.COMPUTED, type(node).__name__, node, operands))

    def conditions(self) -> tuple[int, ...]:
        """What decides whether the statement that is visited runs."""
        around = self.around
        return self.engine.conditions.of(self.source, around.statement, around.function)

    def inside(self) -> tuple[int, ...]:
        """The same, where the function around is known to run."""
        return self.engine.conditions.inside(self.source, self.around.statement)

    def load_item(self, node: ast.Subscript) -> None:
        """Read a part of a value; where nobody knows the key, that decides which one."""
        core, base, step = self.core, self.core.node(node.value), step_of(node)
        core.load(base, step, core.node(node))
        if step == ("[", None):
            core.watch(base, chosen, core, core.node(node.slice), core.node(node))

    def remember(self, target: ast.AST) -> None:
        """Note where a store stands."""
        self._places[target] = self.around


def stored(target: ast.Attribute | ast.Subscript) -> Iterator[tuple[ast.expr, Step]]:
    """What gets the value that is assigned to a target, and where."""
    yield target.value, step_of(target)
    yield from named(target)


def step_of(target: Any) -> Step:
    """The part that an attribute or subscript names."""
    if isinstance(target, ast.Attribute):
        return (".", target.attr)
    if isinstance(target.slice, ast.Slice):
        return SLICE
    return ("[", constant_key(target.slice))
