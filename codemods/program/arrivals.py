"""Which syntax of a kind may come to expressions as it is: no part of a program is searched twice.

`origins` says the same of one expression, and more; of many expressions that lead to one large part
of a program each of its searches would go through all of that.
"""

from __future__ import annotations

import ast
from functools import partial

from .core import Core
from .creations import whole_ways
from .domain import Domain
from .node_needs import Needs
from .origins import Kind
from .solver import Solver
from .sought import Back, Test

_NONE: Domain[int] = Domain(0, 0, int.__or__, lambda origin, operands: 0)


class Arrivals(Solver[int]):
    """The syntax of which a test says yes, each a bit of a number, at the nodes of a graph."""

    def __init__(self, graph: Core, test: Test) -> None:
        super().__init__(graph, _NONE)
        self._test = test
        self._found: list[ast.AST] = []
        self._bits: dict[ast.AST, int] = {}
        self._begin()

    def _begin(self) -> None:
        self._growth = self._graph.growth
        self._values.clear()
        self._back = Back(self._graph, self._form, partial(whole_ways, self._graph), self._values)

    def at(self, expr: ast.AST | int) -> list[ast.AST]:
        """What of that may come to an expression."""
        if self._growth != self._graph.growth:  # a question let things flow meanwhile
            self._begin()
        found = self.value(expr if isinstance(expr, int) else self._graph.node(expr))
        return [node for number, node in enumerate(self._found) if found >> number & 1]

    def _needs(self) -> Needs:
        return self._back

    def _made_by(self, n: int) -> int:
        key, found = self._graph.keys[n], 0
        for origin in self._graph.origins[n] or ():
            made = key if origin.node is None else origin.node
            is_whole = isinstance(key, ast.AST) or origin.kind is not Kind.COMPUTED
            if is_whole and isinstance(made, ast.AST) and self._test(made):
                found |= self._bit(made)
        return found

    def _bit(self, node: ast.AST) -> int:
        if node not in self._bits:
            self._bits[node] = 1 << len(self._found)
            self._found.append(node)
        return self._bits[node]
