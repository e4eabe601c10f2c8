"""The values of a domain at each node, cycles solved to a fixed point."""

from __future__ import annotations

from typing import Generic, TypeVar

from .components import components
from .core import Core
from .domain import Domain, Operands
from .edges import Edge
from .influences import influences
from .origins import Kind, Origin
from .writes import Writes

V = TypeVar("V")
_CONDITION: int = Edge.CONDITION._value_


class Solver(Generic[V]):
    """The values of one domain; every result is kept."""

    def __init__(self, graph: Core, domain: Domain[V]) -> None:
        self._graph, self._domain = graph, domain
        self._operands = Operands(graph, domain.bottom)
        self._values = self._operands.values
        self._through: int = domain.through._value_
        is_decided = domain.decides is not None
        self._passed = self._through & ~_CONDITION if is_decided else self._through
        self._writes = Writes(graph) if domain.has_writes else None
        self._ways: dict[int, tuple[list[int], list[int]]] = {}  # of nodes that are being solved

    def value(self, n: int) -> V:
        """The value at a node; what nothing gets to is unknown."""
        if n not in self._values:
            self._solve(n)
        value = self._values[n]
        return self._domain.unknown if value == self._domain.bottom else value

    def _needs(self, n: int) -> list[int]:
        passing, making = self._ways[n] = self._passing(n), self._made_of(n)
        self._graph.steps += len(passing) + len(making)
        return [*passing, *making]

    def _passing(self, n: int) -> list[int]:
        """The nodes whose values count for a node as they are, but for what `at` makes of them."""
        mask = self._passed
        found = [source for label, source in self._graph.sources[n] if label & mask]
        return found if self._writes is None else [*found, *self._writes.into(n)]

    def _made_of(self, n: int) -> list[int]:
        """The nodes from whose values that of a node is made."""
        found = [] if self._domain.decides is None else self._conditions(n)
        for origin in self._graph.origins[n] or ():
            if origin.kind is not Kind.UNKNOWN or self._domain.suppose is not None:
                found += [operand for _, operand in origin.operands]
                found += self._influences(n, origin) if self._domain.has_influences else ()
        return found

    def _conditions(self, n: int) -> list[int]:
        mask = self._through & _CONDITION
        return [source for label, source in self._graph.sources[n] if label & mask]

    def _influences(self, n: int, origin: Origin) -> list[int]:
        found = self._operands.influences[origin] = influences(self._graph, n, origin)
        return [m for _, m in found]

    def _solve(self, root: int) -> None:
        values, bottom = self._values, self._domain.bottom
        for component in components(root, self._needs, values, self._graph.count):
            values.update(dict.fromkeys(component.nodes, bottom))
            if component.is_circle:
                self._settle(component.nodes)
            else:
                values[component.nodes[0]] = self._evaluate(component.nodes[0])
            for n in component.nodes:
                self._ways.pop(n, None)

    def _settle(self, nodes: list[int]) -> None:
        """Evaluate nodes that need each other until none of them changes.

        What a node has from a source is joined once more when that changes, and what it makes is
        made anew when what it is made of does: a node may have hundreds of sources.
        """
        takers, makers = self._users(nodes)
        values, join = self._values, self._domain.join
        waiting = dict.fromkeys(nodes)
        due, known, grown = set(nodes), set[int](), set[int]()
        while waiting:
            n, _ = waiting.popitem()
            if n in due:
                due.discard(n)
                new = join(values[n], self._made(n) if n in known else self._evaluate(n))
                known.add(n)
                if new != values[n]:
                    values[n] = new
                    grown.add(n)
            if n in grown:
                grown.discard(n)
                taking = [user for user in takers[n] if user in known and self._takes(user, n)]
                grown.update(taking)
                due.update(makers[n])
                waiting.update(dict.fromkeys(taking))
                waiting.update(dict.fromkeys(makers[n]))

    def _takes(self, n: int, source: int) -> bool:
        """Let a node have the value of a source, too; whether that changes its own."""
        values = self._values
        self._graph.count()
        new = self._domain.join(values[n], values[source])
        is_changed: bool = new != values[n]
        values[n] = new
        return is_changed

    def _users(self, nodes: list[int]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Who takes the values of nodes as they are, and who makes something of them."""
        takers: dict[int, list[int]] = {n: [] for n in nodes}
        makers: dict[int, list[int]] = {n: [] for n in nodes}
        users = takers if self._domain.at is None else makers
        for n in nodes:
            passing, making = self._ways.get(n) or (self._passing(n), self._made_of(n))
            for m in passing:
                if m in users:
                    users[m].append(n)
            for m in making:
                if m in makers:
                    makers[m].append(n)
        return takers, makers

    def _evaluate(self, n: int) -> V:
        """The value of a node by those that it needs."""
        value, values, join = self._domain.bottom, self._values, self._domain.join
        self._graph.count()
        ways = self._ways.get(n)
        for source in self._passing(n) if ways is None else ways[0]:
            value = join(value, values[source])
        value = join(value, self._made_by(n))
        return self._at(n, value)

    def _made(self, n: int) -> V:
        """What a node makes, beside what passes to it."""
        if self._domain.at is not None:  # what that makes of both together is one thing
            return self._evaluate(n)
        self._graph.count()
        return self._made_by(n)

    def _at(self, n: int, value: V) -> V:
        at = self._domain.at
        return value if at is None else at(self._graph.keys[n], value)

    def _made_by(self, n: int) -> V:
        domain, graph, join = self._domain, self._graph, self._domain.join
        value = domain.bottom
        if domain.decides is not None:
            for m in self._conditions(n):
                value = join(value, domain.decides(graph.keys[n], self._values[m]))
        for origin in graph.origins[n] or ():
            value = join(value, self._created(origin))
        return value

    def _created(self, origin: Origin) -> V:
        domain = self._domain
        if origin.kind is not Kind.UNKNOWN:
            return domain.create(origin, self._operands)
        if domain.suppose is None:
            return domain.unknown
        return domain.suppose(origin, self._operands)
