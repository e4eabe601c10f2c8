"""Abstract values: what a domain is, and what its rows are told of."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Callable, Generic, TypeVar

from .edges import VALUE, Edge
from .graph import Graph
from .origins import Label, Origin
from .things import Thing

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
