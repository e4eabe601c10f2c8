"""The values of a domain at each node, cycles solved to a fixed point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

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
        self._writes = Writes(graph) if domain.has_writes else None

    def value(self, n: int) -> V:
        """The value at a node; what nothing gets to is unknown."""
        if n not in self._values:
            self._solve(n)
        value = self._values[n]
        return self._domain.unknown if value == self._domain.bottom else value

    def _needs(self, n: int) -> list[int]:
        through = self._through
        found = [source for label, source in self._graph.sources[n] if label & through]
        for origin in self._graph.origins[n] or ():
            if origin.kind is not Kind.UNKNOWN or self._domain.suppose is not None:
                found += [operand for _, operand in origin.operands]
                found += self._influences(n, origin) if self._domain.has_influences else ()
        found += self._writes.into(n) if self._writes is not None else ()
        self._graph.steps += len(found)
        return found

    def _influences(self, n: int, origin: Origin) -> list[int]:
        found = self._operands.influences[origin] = influences(self._graph, n, origin)
        return [m for _, m in found]

    def _solve(self, root: int) -> None:
        """Tarjan's strongly connected components: each comes after those that it needs."""
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        work: list[tuple[int, Iterator[int]]] = []
        needs_of: dict[int, list[int]] = {}  # of what lies on the stack

        def enter(n: int) -> None:
            self._graph.count()
            index[n] = low[n] = len(index)
            stack.append(n)
            needs = needs_of[n] = self._needs(n)
            work.append((n, iter(needs)))

        enter(root)
        while work:
            n, needs = work[-1]
            further = self._further(n, needs, index, low)
            if further is not None:
                enter(further)
                continue
            work.pop()
            if work:
                above = work[-1][0]
                low[above] = min(low[above], low[n])
            if low[n] == index[n]:
                component = _popped(stack, n)
                self._component(component, {m: needs_of.pop(m) for m in component})

    def _further(
        self, n: int, needs: Iterator[int], index: dict[int, int], low: dict[int, int]
    ) -> int | None:
        """The next needed node that was not entered; those on the stack are of one component."""
        values = self._values
        for m in needs:
            if m in values:
                continue
            if m not in index:
                return m
            low[n] = min(low[n], index[m])
        return None

    def _component(self, component: list[int], needs: dict[int, list[int]]) -> None:
        """Solve nodes that need each other; `needs`: what each of them needs."""
        values, bottom = self._values, self._domain.bottom
        for n in component:
            values[n] = bottom
        if len(component) == 1 and component[0] not in needs[component[0]]:
            values[component[0]] = self._evaluate(component[0])
            return
        users: dict[int, list[int]] = {n: [] for n in component}
        for n in component:
            for m in needs[n]:
                if m in users:
                    users[m].append(n)
        self._settle(users)

    def _settle(self, users: dict[int, list[int]]) -> None:
        """Evaluate the nodes of a component until none of them changes.

        A node that only passes values on takes over what is new at another one; it is not joined
        anew from all its sources, of which there may be hundreds.
        """
        values, join = self._values, self._domain.join
        passing = {n for n in users if self._only_passes(n)}
        waiting, queued = list(users), set(users)
        known: set[int] = set()
        while waiting:
            n = waiting.pop()
            queued.discard(n)
            if n not in passing or n not in known:
                known.add(n)
                new = join(values[n], self._evaluate(n))
                if new == values[n]:
                    continue
                values[n] = new
            for user in users[n]:
                if user in passing and user in known:
                    self._graph.count()
                    grown = join(values[user], values[n])
                    if grown == values[user]:
                        continue
                    values[user] = grown
                if user not in queued:
                    queued.add(user)
                    waiting.append(user)

    def _only_passes(self, n: int) -> bool:
        """Whether the value at a node is what its sources have, joined, and nothing else."""
        domain, graph = self._domain, self._graph
        is_plain = domain.at is None and self._writes is None and not graph.origins[n]
        return is_plain and (
            domain.decides is None or not any(e & _CONDITION for e, _ in graph.sources[n])
        )

    def _evaluate(self, n: int) -> V:
        domain, graph, values, through = self._domain, self._graph, self._values, self._through
        graph.count()
        value, decides, join = domain.bottom, domain.decides, domain.join
        for label, source in graph.sources[n]:
            if label & through:
                found = values[source]
                if decides is not None and label & _CONDITION:
                    found = decides(graph.keys[n], found)
                value = join(value, found)
        for write in self._writes.into(n) if self._writes is not None else ():
            value = join(value, values[write])
        for origin in graph.origins[n] or ():
            value = join(value, self._created(origin))
        return value if domain.at is None else domain.at(graph.keys[n], value)

    def _created(self, origin: Origin) -> V:
        domain = self._domain
        if origin.kind is not Kind.UNKNOWN:
            return domain.create(origin, self._operands)
        if domain.suppose is None:
            return domain.unknown
        return domain.suppose(origin, self._operands)


def _popped(stack: list[int], n: int) -> list[int]:
    """What lies on the stack from `n` on."""
    component = []
    while True:
        component.append(stack.pop())
        if component[-1] == n:
            return component
