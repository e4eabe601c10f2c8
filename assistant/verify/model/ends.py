"""In which states a graph can end, in words that a rewriting of it shares.

Each value is the set of *versions* that it was made of: a version is one write of a variable, by
what writes it and from which versions. So two graphs are compared by what could have been read
where, whatever their operations between are called. A rewriting may make a value of less (it knows
that `x - x` is zero), never of another version, nor of more. A decision may go either way, in both
graphs. Small graphs are explored whole, of larger ones the part around each variable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import NamedTuple

from .agree import Agreement, agreement
from .explore import TooMany, explore
from .guards import guarded
from .kernel import SWITCH, Operation, Program
from .numbers import Numbers
from .semantics import Machine
from .slices import shared, sliced, written_from

STATES = 20_000  # of one exploration
DECISIONS = 64  # ways in which those of one graph can go
SMALL = 300  # operations of one exploration
End = tuple[int, ...]  # the version of each variable; nothing: it goes on no more


class Version(NamedTuple):
    """One write of a variable, or additions to it: by what, and of which versions (bits)."""

    variable: str
    by: tuple[str, ...]
    made: int


class Versions(Numbers):
    """Values as sets of versions, each a bit; `writers` are told apart by name, others by kind."""

    def __init__(self, writers: Collection[str]) -> None:
        self.writers = writers
        self.known: dict[Version, int] = {}
        self.all: list[Version] = []
        self.decided: Mapping[str, int] = {}

    def computed(self, operation: Operation, given: Sequence[int]) -> int:
        """All that it was made of; of what decides the way that is looked at."""
        return self.decided.get(operation.name, _all_of(given))

    def assigned(self, operation: Operation, variable: str, held: int, given: Sequence[int]) -> int:
        """The new version; of additions the order is no matter."""
        how, made = operation.function, _all_of(given)
        by = operation.name if operation.name in self.writers else how
        if how == "set":
            return self.version(variable, (by,), made)
        if how in ("add", "sub"):
            (version,) = self._of(held)
            return self.version(variable, tuple(sorted((*version.by, by))), made | version.made)
        return self.version(variable, (by,), made | held)

    def version(self, variable: str, by: tuple[str, ...], made: int) -> int:
        """The bit of a version."""
        key = Version(variable, by, made)
        if key not in self.known:
            self.known[key] = len(self.all)
            self.all.append(key)
        return 1 << self.known[key]

    def said(self, value: int) -> str:
        """A value in words: the versions that it was made of."""
        return " and ".join(
            " + ".join(each.by) + (f" of ({self.said(each.made)})" if each.made else "")
            for each in self._of(value)
        )

    def _of(self, value: int) -> list[Version]:
        return [each for k, each in enumerate(self.all) if value >> k & 1]

    def covers(self, old: int, new: int) -> bool:
        """Whether each version in `new` is one of those in `old`, or made of less."""
        return all(any(self._is_of(o, n) for o in self._of(old)) for n in self._of(new))

    def _is_of(self, old: Version, new: Version) -> bool:
        return old[:2] == new[:2] and (old.made == new.made or self.covers(old.made, new.made))

    def is_end(self, old: End, new: End) -> bool:
        """Whether one end is the other, but for values that are made of less."""
        return len(old) == len(new) and all(map(self.covers, old, new))


def _all_of(given: Sequence[int]) -> int:
    found = 0
    for each in given:
        found |= each
    return found


class Compared:
    """Two graphs, of which the second is to end as the first may.

    Raises TooMany where there are more states than are looked at, Unmodelled where a loop touches
    a variable.
    """

    def __init__(self, before: Program, after: Program) -> None:
        self.both = tuple(agreement(each, guarded(each)) for each in (before, after))
        common = frozenset(_writers(before)) & frozenset(_writers(after))
        self.versions = Versions(common)

    def new(self) -> list[dict[str, str]]:
        """Ends that only the second has, each variable with what it is made of: the first of the
        whole, or of the part around each variable. One that goes on no more holds nothing."""
        variables = self._closed(self._shared())
        try:
            return self._new(variables)
        except TooMany:
            parts = [self._new(self._closed({each})) for each in sorted(variables)]
            return [end for part in parts for end in part]

    def _shared(self) -> set[str]:
        return {name for each in self.both for name in shared(each.program, each.guards)}

    def _closed(self, variables: Collection[str]) -> set[str]:
        """With what else is written of their values, in either graph."""
        found = set(variables)
        for each in self.both:
            found |= written_from(each.program, each.guards, variables)
        return found

    def _new(self, variables: Collection[str]) -> list[dict[str, str]]:
        before, after = (self._ends(each, variables) for each in self.both)
        is_end = self.versions.is_end
        new = [e for e in sorted(after - before) if not any(is_end(old, e) for old in before)]
        said = self.versions.said
        return [dict(zip(sorted(variables), map(said, each))) for each in new[:1]]

    def _ends(self, graph: Agreement, variables: Collection[str]) -> set[End]:
        part = sliced(graph, variables)
        if len(part.operations) > SMALL:
            raise TooMany(f"more than {SMALL} operations")
        tests = {each.inputs[1].of: each.slots for each in part.operations if each.kind == SWITCH}
        if prod(tests.values()) > DECISIONS:
            raise TooMany(f"more than {DECISIONS} ways to decide")
        found: set[End] = set()
        for chosen in product(*(range(slots) for slots in tests.values())):
            names = (part.operations[each].name for each in tests)
            self.versions.decided = dict(zip(names, chosen))
            found |= set(_explore_part(part, self.versions, sorted(variables)))
        return found


def _writers(program: Program) -> Iterator[str]:
    yield from (each.name for each in program.operations if each.accesses)


def _explore_part(part: Program, versions: Versions, variables: Sequence[str]) -> Iterator[End]:
    """What each variable holds; one that the part doesn't touch is as it was before."""
    held = {name: versions.version(name, (f"{name} of before",), 0) for name in variables}
    start = replace(part, variables=held)
    found = explore(Machine([start], versions), limit=STATES)
    for (values,), _ in found.ends:
        yield values
    if found.deadlocks:
        yield ()
