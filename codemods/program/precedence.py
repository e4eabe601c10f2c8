"""What may run before what, in one run of a program.

It follows calls, not values: from a place to the calls of the function around it, which the graph
knows, up to the module.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from .bindings import place
from .index import Index
from .parts import LOOPS, Function, FunctionNode

Run = tuple[ast.AST, ast.AST]  # a function, or the module, and a node in it


class Precedence:
    """Answers for one program; `function` is the innermost around a node, `sites` are its calls."""

    def __init__(
        self,
        index: Index,
        function: Callable[[ast.AST], Function | None],
        sites: Callable[[ast.AST], Sequence[ast.AST]],
    ) -> None:
        self._index, self._function, self._sites = index, function, sites
        # A change of state is compared with every step, again and again.
        self._lifted: dict[tuple[ast.AST, bool], list[Run]] = {}

    def may_precede(self, first: ast.AST, second: ast.AST) -> bool:
        """Whether `first` can run before `second`: compared in the functions that call both.

        A function that nobody seems to call can run as soon as it is defined.
        """
        early, late = self.lifted(first, is_first=True), self.lifted(second)
        common = [(a, b) for scope, a in early for other, b in late if scope is other]
        return not common or any(self._is_before(a, b) for a, b in common)

    def lifted(self, node: ast.AST, is_first: bool = False) -> list[Run]:
        """The node in its function, and the calls of that function in theirs, up to the module.

        `is_first`: where there are none, the definition of that function, in the function around.
        """
        known = self._lifted
        if (node, is_first) not in known:
            known[node, is_first] = self._lift(node, is_first)
        return known[node, is_first]

    def _lift(self, node: ast.AST, is_first: bool) -> list[Run]:
        seen: dict[ast.AST, ast.AST] = {}
        queue = [node]
        while queue:
            current = queue.pop()
            if current in seen:
                continue
            scope = seen[current] = self._function(current) or self._index.module
            if isinstance(scope, FunctionNode):
                queue.extend(self._sites(scope) or ([scope] if is_first else []))
        return [(scope, run) for run, scope in seen.items()]

    def _is_before(self, first: ast.AST, second: ast.AST) -> bool:
        if place(first) < place(second):
            return True
        around = {*self._loops(first)}
        return any(loop in around for loop in self._loops(second))

    def _loops(self, node: ast.AST) -> Iterator[ast.AST]:
        """The loops around a node."""
        parent = self._index.parents.get(node)
        while parent is not None:
            if isinstance(parent, LOOPS):
                yield parent
            parent = self._index.parents.get(parent)
