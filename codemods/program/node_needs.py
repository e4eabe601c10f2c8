"""What nodes need of each other, found once for all domains that go the same ways."""

from __future__ import annotations

from collections.abc import Container

from .components import Component, components
from .core import Core
from .edges import Edge
from .influences import influences
from .origins import Kind, Label, Origin
from .records import NamedTuple
from .writes import Writes

_CONDITION: int = Edge.CONDITION._value_
Ways = tuple[list[int], list[int]]
Users = tuple[dict[int, list[int]], dict[int, list[int]]]


class Form(NamedTuple):
    """What of a domain says which nodes one needs: the labels along which values pass, and more.

    `conditions`: the label of conditions, where these don't pass as they are.
    """

    passed: int
    conditions: int
    has_parts_of_unknown: bool
    has_influences: bool
    has_writes: bool


class Needs:
    """The needs of the nodes of one graph, as long as it doesn't grow."""

    def __init__(self, core: Core, form: Form) -> None:
        self._core, self._form = core, form
        self.influences: dict[Origin, list[tuple[Label, int]]] = {}
        self._writes = core.once(Writes) if form.has_writes else None
        self.known: dict[int, Ways] = {}
        self._home: dict[int, int] = {}  # the number of the component of each node
        self._components: list[Component] = []  # each behind all that it needs
        self._below: list[list[int]] = []
        self._users: dict[tuple[int, ...], Users] = {}

    def behind(self, root: int, known: Container[int]) -> list[Component]:
        """The components that a node needs, each behind what it needs, but for those known."""
        if root not in self._home:
            self._explore(root)
        found, below, home = self._components, self._below, self._home[root]
        seen, waiting = {home}, [home]
        while waiting:
            for number in below[waiting.pop()]:
                if number not in seen and not _is_known(found[number], known):
                    seen.add(number)
                    waiting.append(number)
        return [found[number] for number in sorted(seen)]

    def ways(self, n: int) -> Ways:
        """The nodes whose values pass to a node, and those of which its own is made."""
        ways = self.known.get(n)
        if ways is None:
            ways = self.known[n] = self._found(n)
            self._core.steps += len(ways[0]) + len(ways[1])
        return ways

    def users(self, nodes: list[int], is_made_anew: bool) -> Users:
        """Who takes the values of nodes as they are, and who makes something of them.

        `is_made_anew`: what passes to a node is made into something, too.
        """
        key = (*nodes[:1], len(nodes), is_made_anew)
        if key not in self._users:
            self._users[key] = self._found_users(nodes, is_made_anew)
        return self._users[key]

    def _explore(self, root: int) -> None:
        """Find the components behind a node."""
        home, further = self._home, self._further
        for component in components(root, further, home, self._core.count):
            number = len(self._components)
            home.update(dict.fromkeys(component.nodes, number))
            below = {home[m] for n in component.nodes for m in further(n)}
            below.discard(number)
            self._components.append(component)
            self._below.append(list(below))

    def _further(self, n: int) -> list[int]:
        passing, making = self.ways(n)
        return [*passing, *making] if making else passing

    def _found(self, n: int) -> Ways:
        mask = self._form.passed
        passing = [source for label, source in self._core.sources[n] if label & mask]
        if self._writes is not None:
            passing += self._writes.into(n)
        return passing, self._made_of(n)

    def _made_of(self, n: int) -> list[int]:
        """The nodes from whose values that of a node is made."""
        form, origins = self._form, self._core.origins[n]
        found = self.conditions(n) if form.conditions else []
        for origin in origins or ():
            if origin.kind is not Kind.UNKNOWN or form.has_parts_of_unknown:
                found += [operand for _, operand in origin.operands]
                found += self._influenced(n, origin) if form.has_influences else ()
        return found

    def conditions(self, n: int) -> list[int]:
        """The nodes that decide whether a value gets to a node."""
        mask = self._form.conditions
        return [source for label, source in self._core.sources[n] if label & mask]

    def _influenced(self, n: int, origin: Origin) -> list[int]:
        found = self.influences[origin] = influences(self._core, n, origin)
        return [m for _, m in found]

    def _found_users(self, nodes: list[int], is_made_anew: bool) -> Users:
        takers: dict[int, list[int]] = {n: [] for n in nodes}
        makers: dict[int, list[int]] = {n: [] for n in nodes}
        users = makers if is_made_anew else takers
        for n in nodes:
            passing, making = self.ways(n)
            for m in passing:
                if m in users:
                    users[m].append(n)
            for m in making:
                if m in makers:
                    makers[m].append(n)
        return takers, makers


def _is_known(component: Component, known: Container[int]) -> bool:
    nodes = component.nodes
    return nodes[0] in known and (len(nodes) == 1 or all(n in known for n in nodes))
