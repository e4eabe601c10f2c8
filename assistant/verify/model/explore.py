"""All that programs can do: every state, how each order ends, and where none goes on.

With partial-order reduction an operation is explored alone where nothing that has not fired yet
touches the same variable or queue, but for what comes after it anyway, reads beside reads, and
additions beside additions. So a program without races has one path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .kernel import ADDS, DEQUEUE, ENQUEUE, HEAD, READS, Operation
from .semantics import Machine, State, Token, Transition

Resource = tuple[int, str, str]
End = tuple[tuple[tuple[int, ...], ...], tuple[Token, ...]]


class TooMany(Exception):
    """There are more states than the limit."""


@dataclass(frozen=True)
class Explored:
    """`ends`: values of variables and outputs; `deadlocks`: states in which nothing can fire."""

    states: int
    transitions: int
    ends: frozenset[End]
    deadlocks: frozenset[State]

    @property
    def agrees(self) -> bool:
        """Whether all workers hold the same values at each end."""
        return all(len(set(variables)) <= 1 for variables, _ in self.ends)


def explore(machine: Machine, reduced: bool = True, limit: int = 1_000_000) -> Explored:
    """Every state that can be reached. Raises TooMany."""
    search = _Search(machine, reduced, limit)
    search.run()
    return Explored(
        len(search.seen), search.transitions, frozenset(search.ends), frozenset(search.deadlocks)
    )


class _Search:
    def __init__(self, machine: Machine, reduced: bool, limit: int) -> None:
        self.machine, self.reduced, self.limit = machine, reduced, limit
        self.seen: set[State] = set()
        self.ends: set[End] = set()
        self.deadlocks: set[State] = set()
        self.transitions = 0
        self.order = _Order(machine)

    def run(self) -> None:
        first = self.machine.initial()
        self.seen.add(first)
        waiting: list[tuple[State, frozenset[Transition]]] = [(first, frozenset())]
        while waiting:
            state, fired = waiting.pop()
            for each in self._transitions_to_try(state, fired):
                self.transitions += 1
                after = self.machine.fire(state, each)
                if after not in self.seen:
                    self._remember(after)
                    waiting.append((after, fired | {each}))

    def _remember(self, state: State) -> None:
        self.seen.add(state)
        if len(self.seen) > self.limit:
            raise TooMany(f"more than {self.limit:,} states")

    def _transitions_to_try(
        self, state: State, fired: frozenset[Transition]
    ) -> Sequence[Transition]:
        enabled = self.machine.enabled(state)
        if not enabled:
            self._finish(state)
        elif self.reduced:
            alone = (each for each in enabled if self.order.is_alone(each, fired))
            chosen = next(alone, None)
            return enabled if chosen is None else [chosen]
        return enabled

    def _finish(self, state: State) -> None:
        if not self.machine.done(state):
            self.deadlocks.add(state)
            return
        edges = self.machine.edges
        outputs = (token for token, edge in zip(state.transit, edges) if edge.target is None)
        self.ends.add((state.variables, tuple(outputs)))


class _Order:
    """Who touches what, and what surely comes before what."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.earlier = [_earlier(each.operations) for each in machine.programs]
        self.turns = [any(op.kind == HEAD for op in p.operations) for p in machine.programs]
        self.users: dict[Resource, list[Transition]] = {}
        for transition in machine.into:
            for resource in self._resources_of(transition):
                self.users.setdefault(resource, []).append(transition)

    def _resources_of(self, transition: Transition) -> Mapping[Resource, str]:
        operation = self.machine.operation(transition)
        if operation.kind in (ENQUEUE, DEQUEUE):
            return {(transition.worker, "queue", operation.of): operation.kind}
        return {(transition.worker, "variable", v): how for v, how in operation.accesses}

    def is_alone(self, transition: Transition, fired: frozenset[Transition]) -> bool:
        """Whether no other order of it with anything that comes later makes a difference."""
        if transition.worker < 0:
            return True
        for resource, how in self._resources_of(transition).items():
            for other in self.users[resource]:
                if other == transition or self._follows(transition, other, fired):
                    continue
                if (how, self._resources_of(other)[resource]) not in ((READS, READS), (ADDS, ADDS)):
                    return False
        return True

    def _follows(
        self, transition: Transition, other: Transition, fired: frozenset[Transition]
    ) -> bool:
        if self.turns[transition.worker]:  # it may come again
            return False
        before = self.earlier[transition.worker][other.number] >> transition.number & 1
        return bool(before) or other in fired


def _earlier(operations: Sequence[Operation]) -> list[int]:
    """For each operation the ones that surely come before it, as bits."""
    found: list[int] = []
    for operation in operations:
        mine = 0
        for source in (*(port.of for port in operation.inputs), *operation.controls):
            mine |= found[source] | 1 << source
        found.append(mine)
    return found
