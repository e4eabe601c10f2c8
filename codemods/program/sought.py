"""Whether something is among what values are made from: no part of the program is searched twice.

To go through the ingredients of each of many values takes the square of the program's size.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence
from typing import Callable

from .core import Core
from .domain import Domain
from .node_needs import Form, Needs, Ways
from .solver import Solver

Links = Callable[[int], list[int]]
Test = Callable[[ast.AST], bool]
Behind = Mapping[ast.AST, Sequence[ast.AST]]
NOTHING: Behind = {}
_UNDECORATED = ("plain",)  # a function before its decorators get it
_EITHER: Domain[bool] = Domain(False, False, bool.__or__, lambda origin, operands: False)


class Sought(Solver[bool]):
    """Says of nodes whether a test says yes of syntax on the ways back from them.

    `links`: where one step back leads from a node; a way ends at syntax of which `until` says yes.
    `behind`: by syntax that is made to run behind others these, of which it counts as made, too.
    """

    def __init__(
        self,
        graph: Core,
        links: Links,
        test: Test,
        until: Test | None = None,
        behind: Behind = NOTHING,
    ) -> None:
        super().__init__(graph, _EITHER)
        self._links, self._test, self._until, self._behind = links, test, until, behind
        self._growth = graph.growth
        self._back = Back(graph, self._form, self._ways_back, self._values)
        self._hits: set[int] = set()

    def value(self, n: int) -> bool:
        """Whether it is among what the value at a node is made from."""
        if self._growth != self._graph.growth:  # a question let things flow meanwhile
            self._growth = self._graph.growth
            self._values.clear()
            self._hits.clear()
            self._back = Back(self._graph, self._form, self._ways_back, self._values)
        if n not in self._values and not self._is_found(n):
            return False
        return super().value(n)

    def _is_found(self, n: int) -> bool:
        """Whether it is on a way back from a node; where it isn't, none of these leads there.

        That is soon told: most values have nothing of what is sought, and need no order.
        """
        seen, waiting, values = {n}, [n], self._values
        back, hits, count = self._back, self._hits, self._graph.count
        known = back.known
        while waiting:
            n = waiting.pop()
            count()
            ways = known.get(n) or back.ways(n)  # most are known: a call for each takes longer
            if n in hits:
                return True
            for m in ways[0]:
                if m not in seen:
                    if values.get(m):
                        return True
                    seen.add(m)
                    if m not in values:
                        waiting.append(m)
        values.update(dict.fromkeys(seen, False))
        return False

    def _needs(self) -> Needs:
        return self._back

    def _ways_back(self, n: int) -> list[int]:
        key = self._graph.keys[n]
        if isinstance(key, tuple) and key[1:] == _UNDECORATED:
            key = key[0]
        if isinstance(key, ast.AST):
            if self._test(key):
                self._hits.add(n)
                return []
            if self._until is not None and self._until(key):
                return []
            if key in self._behind:
                return [*self._links(n), *map(self._graph.node, self._behind[key])]
        return self._links(n)

    def _evaluate(self, n: int, ways: Ways) -> bool:
        self._graph.count()
        values = self._values
        return n in self._hits or any(values[source] for source in ways[0])

    def _made_by(self, n: int) -> bool:
        return n in self._hits


class Back(Needs):
    """The ways back that are searched, in place of those along which values pass."""

    def __init__(self, core: Core, form: Form, links: Links, known: Container[int]) -> None:
        super().__init__(core, form)
        self._links, self._known = links, known

    def _found(self, n: int) -> Ways:
        return self._links(n), []

    def _further(self, n: int) -> list[int]:
        return [m for m in self.ways(n)[0] if m not in self._known]
