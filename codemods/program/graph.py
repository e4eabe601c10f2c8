"""Nodes, labelled edges, and things that travel along them until nothing changes.

A node is a number. At most `MOST` things are kept for one: then UNKNOWN is added and it takes no
more, so that the cost stays linear in the size of the program.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Callable

from .edges import Edge
from .origins import Kind, Origin
from .spending import current
from .things import OPAQUE, UNKNOWN, Thing

MOST = 12
Rule = Callable[..., None]


class TooLarge(Exception):
    """The analysis needs more steps than its budget; `steps` is their number so far."""

    def __init__(self, steps: int) -> None:
        super().__init__(f"the analysis stopped after {steps:,} steps")
        self.steps = steps


class Graph:
    """The nodes of a program.

    `sources` holds the labelled edges backwards, `things` what may arrive at each node, `origins`
    what a node computes by itself (None: nothing is known of it, an empty list: nothing).
    """

    def __init__(self, budget: int | None = None) -> None:
        self.ids: dict[Hashable, int] = {}
        self.keys: list[Hashable] = []
        self.sources: list[list[tuple[int, int]]] = []
        self.things: list[dict[Thing, None]] = []
        self.origins: list[list[Origin] | None] = []
        self.steps = 0
        self.budget, self._allowed = budget, budget or 0
        self._most = 0  # steps, before it is asked whether there may be more
        self._spending = current()
        self._spending.begin(self)
        self._sinks: list[list[int]] = []
        self._watchers: list[list[tuple[Rule, tuple[Any, ...]]] | None] = []
        self._edges: set[tuple[int, int]] = set()
        self._arrivals: list[tuple[int, Thing]] = []
        self._works: list[tuple[Rule, tuple[Any, ...]]] = []

    @property
    def growth(self) -> int:
        """The number of edges: it tells whether ways that were found before may have changed."""
        return len(self._edges)

    def node(self, key: Hashable) -> int:
        """The node of an expression, version or part of a thing."""
        n = self.ids.get(key)
        if n is None:
            n = self.ids[key] = len(self.keys)
            self.keys.append(key)
            self.sources.append([])
            self.things.append({})
            self.origins.append(None)
            self._sinks.append([])
            self._watchers.append(None)
        return n

    def place(self, key: Hashable) -> int:
        """A node that holds what is put there and nothing else."""
        n = self.ids.get(key)
        if n is None:
            n = self.node(key)
            self.origins[n] = []
        return n

    def edge(self, source: int, target: int, label: Edge) -> None:
        """Let the value and the things of `source` flow to `target`."""
        pair = (source, target)
        if source == target or pair in self._edges:
            return
        self._edges.add(pair)
        self.steps += 1
        self.sources[target].append((label._value_, source))
        self._sinks[source].append(target)
        for thing in self.things[source]:
            self.add(target, thing)

    def note(self, source: int, target: int, label: Edge) -> None:
        """Let the value of `source` count for `target`, but no thing flow."""
        key = (-source - 1, target)
        if source != target and key not in self._edges:
            self._edges.add(key)
            self.steps += 1
            self.sources[target].append((label._value_, source))

    def decide(self, conditions: tuple[int, ...], target: int) -> None:
        """Note that each of the conditions decides whether the value gets to `target`."""
        for condition in conditions:
            self.note(condition, target, Edge.CONDITION)

    def add(self, n: int, thing: Thing) -> None:
        """Let a thing arrive at a node."""
        things = self.things[n]
        if thing in things:
            return
        if len(things) >= MOST:
            thing = UNKNOWN
            if thing in things:
                return
        things[thing] = None
        self._arrivals.append((n, thing))

    def create(self, n: int, origin: Origin, thing: Thing = OPAQUE) -> None:
        """Let a node compute a value of its own."""
        known = self.origins[n]
        if known is None:
            self.origins[n] = [origin]
        elif any(
            o.kind is origin.kind and o.name == origin.name and o.thing is origin.thing
            for o in known
        ):
            return
        else:
            known.append(origin)
        self.add(n, thing)

    def unknown(self, n: int) -> None:
        """Let a node be anything."""
        self.create(n, Origin(Kind.UNKNOWN), UNKNOWN)

    def watch(self, n: int, rule: Rule, *rest: Any) -> None:
        """Call `rule(thing, *rest)` for each thing that arrives at a node, now or later."""
        watchers = self._watchers[n]
        if watchers is None:
            self._watchers[n] = [(rule, rest)]
        else:
            watchers.append((rule, rest))
        for thing in self.things[n]:
            self._works.append((rule, (thing, *rest)))

    def later(self, work: Rule, *rest: Any) -> None:
        """Do some work while things flow: no chain of classes or calls grows Python's stack."""
        self._works.append((work, rest))

    def solve(self) -> None:
        """Let all things flow until nothing changes. TooLarge: it takes more than the budget."""
        arrivals, works, sinks, watchers = self._arrivals, self._works, self._sinks, self._watchers
        things = self.things
        while arrivals or works:
            self.steps += 1  # what `count` does: no loop is run as often
            if self.steps > self._most:
                self._go_on()
            if works:
                rule, rest = works.pop()
                rule(*rest)
                continue
            n, thing = arrivals.pop()
            further = sinks[n]
            self.steps += len(further)
            for sink in further:
                if thing not in things[sink]:
                    self.add(sink, thing)
            for rule, rest in watchers[n] or ():
                works.append((rule, (thing, *rest)))

    def begin_anew(self) -> None:
        """Let the budget be for the steps from now on."""
        if self.budget is not None:
            self.budget = self.steps + self._allowed

    def end(self) -> None:
        """Say that no more steps are taken."""
        self._spending.end(self)

    def count(self) -> None:
        """Count one step."""
        self.steps += 1
        if self.steps > self._most:
            self._go_on()

    def _go_on(self) -> None:
        """See how many more steps there may be. Raises TooLarge, and Spent."""
        if self.budget is not None and self.steps > self.budget:
            raise TooLarge(self.steps)
        most = self.steps + self._spending.left
        self._most = most if self.budget is None else min(most, self.budget)
