"""The values of a domain at each node, cycles solved to a fixed point."""

from __future__ import annotations

from typing import Generic, TypeVar

from .core import Core
from .domain import Domain, Operands
from .edges import Edge
from .node_needs import Form, Needs, Ways
from .origins import Kind, Origin

V = TypeVar("V")
_CONDITION: int = Edge.CONDITION._value_


class Solver(Generic[V]):
    """The values of one domain; every result is kept."""

    def __init__(self, graph: Core, domain: Domain[V]) -> None:
        self._graph, self._domain = graph, domain
        self._operands = Operands(graph, domain.bottom)
        self._values = self._operands.values
        through: int = domain.through._value_
        is_decided = domain.decides is not None
        self._form = Form(
            passed=through & ~_CONDITION if is_decided else through,
            conditions=through & _CONDITION if is_decided else 0,
            has_parts_of_unknown=domain.suppose is not None,
            has_influences=domain.has_influences,
            has_writes=domain.has_writes,
        )

    def value(self, n: int) -> V:
        """The value at a node; what nothing gets to is unknown."""
        if n not in self._values:
            self._solve(n)
        value = self._values[n]
        return self._domain.unknown if value == self._domain.bottom else value

    def _needs(self) -> Needs:
        """What nodes need; the same is asked for all domains of this form."""
        needs = self._graph.once(Needs, self._form)
        self._operands.influences = needs.influences
        return needs

    def _solve(self, root: int) -> None:
        values, bottom, needs = self._values, self._domain.bottom, self._needs()
        known = needs.known
        for nodes, is_circle in needs.behind(root, values):
            if is_circle:
                due = [n for n in nodes if n not in values]
                values.update(dict.fromkeys(due, bottom))
                self._settle(due, needs)
            elif nodes[0] not in values:
                values[nodes[0]] = bottom  # for who asks while it is found
                values[nodes[0]] = self._evaluate(nodes[0], known[nodes[0]])

    def _settle(self, nodes: list[int], needs: Needs) -> None:
        """Evaluate nodes that need each other until none of them changes.

        What a node has from a source is joined once more when that changes, and what it makes is
        made anew when what it is made of does: a node may have hundreds of sources.
        """
        is_made_anew = self._domain.at is not None  # what that makes of both together is one thing
        takers, makers = needs.users(nodes, is_made_anew)
        values, join = self._values, self._domain.join
        waiting = dict.fromkeys(nodes)
        due, known, grown = set(nodes), set[int](), set[int]()
        while waiting:
            n, _ = waiting.popitem()
            if n in due:
                due.discard(n)
                is_first = is_made_anew or n not in known
                made = self._evaluate(n, needs.ways(n)) if is_first else self._made(n)
                new = join(values[n], made)
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

    def _evaluate(self, n: int, ways: Ways) -> V:
        """The value of a node by those that it needs."""
        domain, values = self._domain, self._values
        join, value = domain.join, domain.bottom
        self._graph.count()
        for source in ways[0]:
            other = values[source]
            if other is not value:
                value = join(value, other)
        if self._graph.origins[n] or self._form.conditions:
            value = join(value, self._made_by(n))
        return value if domain.at is None else domain.at(self._graph.keys[n], value)

    def _made(self, n: int) -> V:
        """What a node makes, beside what passes to it."""
        self._graph.count()
        return self._made_by(n)

    def _made_by(self, n: int) -> V:
        domain, graph, join = self._domain, self._graph, self._domain.join
        value = domain.bottom
        if domain.decides is not None:
            for m in self._needs().conditions(n):
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
