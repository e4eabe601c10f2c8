"""Abstract values: what a domain is, and its value at each node, cycles solved to a fixed point."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Callable, Generic, TypeVar

from .core import Core
from .edges import VALUE, Edge
from .graph import Graph
from .influences import influences
from .origins import Kind, Label, Origin
from .things import Thing
from .writes import Writes

V = TypeVar("V")
_CONDITION: int = Edge.CONDITION._value_


class Domain(Generic[V]):
    """What is asked of each value.

    `bottom`: no value gets there; `unknown`: any value; `join(a, b)`: one of both; `create(origin,
    operands)`: what a node computes by itself. The values are compared with `==`, and `join` may
    only grow a few times: that is what ends a cycle. `suppose(origin, operands)`: what is known of
    an unknown value all the same, as a part of one or by what it is called with. `at(key, value)`:
    what becomes of a value that passes the syntax, version or part of a thing for which a node
    stands. `decides(key, value)`: what a condition adds to what it decides, else its value.
    `has_influences`: KEY and GIVEN are asked for. `has_writes`: writes count for an object's value.
    """

    def __init__(
        self,
        bottom: V,
        unknown: V,
        join: Callable[[V, V], V],
        create: Callable[[Origin, Operands[V]], V],
        through: Edge = VALUE,
        suppose: Callable[[Origin, Operands[V]], V] | None = None,
        at: Callable[[Hashable, V], V] | None = None,
        decides: Callable[[Hashable, V], V] | None = None,
        has_influences: bool = False,
        has_writes: bool = False,
    ) -> None:
        self.bottom, self.unknown = bottom, unknown
        self.join, self.create, self.through = join, create, through
        self.suppose, self.at, self.decides = suppose, at, decides
        self.has_influences, self.has_writes = has_influences, has_writes


class Operands(Generic[V]):
    """The values and things at the operands of an origin."""

    def __init__(self, graph: Graph, bottom: V) -> None:
        self._graph, self._bottom = graph, bottom
        self.values: dict[int, V] = {}
        self.influences: dict[Origin, list[tuple[Label, int]]] = {}

    def at(self, n: int) -> V:
        """The value at a node."""
        return self.values.get(n, self._bottom)

    def of(self, origin: Origin, *labels: Label) -> list[V]:
        """The values of the operands with these labels; without labels: of all it is made of."""
        operands = [*origin.operands, *(self.influences.get(origin, ()) if labels else ())]
        return [self.at(n) for label, n in operands if not labels or label in labels]

    def things(self, origin: Origin, label: Label) -> list[Thing]:
        """The things at the operands with a label."""
        return [t for each, n in origin.operands if each == label for t in self._graph.things[n]]


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

        def enter(n: int) -> None:
            self._graph.count()
            index[n] = low[n] = len(index)
            stack.append(n)
            work.append((n, iter(self._needs(n))))

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
                self._component(_popped(stack, n))

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

    def _component(self, component: list[int]) -> None:
        values, bottom = self._values, self._domain.bottom
        users: dict[int, list[int]] = {n: [] for n in component}
        if len(component) == 1 and component[0] not in self._needs(component[0]):
            values[component[0]] = bottom
            values[component[0]] = self._evaluate(component[0])
            return
        for n in component:
            values[n] = bottom
            for m in self._needs(n):
                if m in users:
                    users[m].append(n)
        waiting, queued = list(component), set(component)
        while waiting:
            n = waiting.pop()
            queued.discard(n)
            new = self._domain.join(values[n], self._evaluate(n))
            if new != values[n]:
                values[n] = new
                further = [user for user in users[n] if user not in queued]
                queued.update(further)
                waiting += further

    def _evaluate(self, n: int) -> V:
        domain, graph, values, through = self._domain, self._graph, self._values, self._through
        graph.count()
        value, decides = domain.bottom, domain.decides
        for label, source in graph.sources[n]:
            if label & through:
                found = values[source]
                if decides is not None and label & _CONDITION:
                    found = decides(graph.keys[n], found)
                value = domain.join(value, found)
        for write in self._writes.into(n) if self._writes is not None else ():
            value = domain.join(value, values[write])
        for origin in graph.origins[n] or ():
            value = domain.join(value, self._created(origin))
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
