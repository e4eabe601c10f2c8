"""Operations of one run that touch a variable in an order that is left to chance (M03).

By happens-before: for each operation the set of those that touch a variable and surely come before
it, as bits of a number. O(edges · k/64 + Σ a²) for k such operations, a of one variable. Two turns
of a loop are not compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from .guards import Guarded
from .kernel import ADDS, ASSIGN, COLLECTIVE, READS, Operation, Program
from .turns import turns

COMMUTES, FETCH, RACE = "commutes", "fetch", "race"


class Race(NamedTuple):
    """Two operations on one variable: RACE; FETCH: only what is fetched depends on it."""

    variable: str
    first: int
    second: int
    kind: str


def races(program: Program, guards: Guarded) -> Iterator[Race]:
    """Every pair whose order is open, but for reads with reads."""
    touched = _touched(program, guards)
    before = _before(program.operations, touched)
    matters = _matter(program, guards)
    for variable, found in touched.items():
        for (first, how), (second, other) in combinations(found.items(), 2):
            if how == other == READS or before(first, second) or guards.apart(first, second):
                continue
            if how == other == ADDS:
                yield Race(variable, first, second, COMMUTES)
                continue
            reads = [number for number, each in ((first, how), (second, other)) if each == READS]
            fetched = bool(reads) and reads[0] not in matters
            yield Race(variable, first, second, FETCH if fetched else RACE)


def _touched(program: Program, guards: Guarded) -> Mapping[str, Mapping[int, str]]:
    """Who touches a variable that is written and touched more than once, and how."""
    found: dict[str, dict[int, str]] = {}
    for number, operation in enumerate(program.operations):
        for access in operation.accesses if guards.under[number] is not None else ():
            mine = found.setdefault(access.variable, {})
            mine[number] = access.how if mine.get(number, READS) == READS else mine[number]
    return {
        variable: users
        for variable, users in found.items()
        if len(users) > 1 and any(how != READS for how in users.values())
    }


class _Order:
    """Which of the chosen operations come before which."""

    def __init__(self, operations: Sequence[Operation], chosen: Sequence[int]) -> None:
        self.loops = turns(operations)
        marked = sorted({*chosen, *(loop.head for loop in self.loops.values())})
        self.bit = {number: 1 << k for k, number in enumerate(marked)}
        self.earlier = [0] * len(operations)
        # One pass is enough but for loops of TensorFlow 1, whose turns may end behind their exits.
        while self._pass(operations) and any(n < loop.back for n, loop in self.loops.items()):
            pass

    def _pass(self, operations: Sequence[Operation]) -> bool:
        """Goes through all operations once; whether anything is new."""
        new = False
        for number, operation in enumerate(operations):
            found = self._last_turn(number)
            for source in (*(port.of for port in operation.inputs), *operation.controls):
                found |= self._with(source)
            new = new or found != self.earlier[number]
            self.earlier[number] = found
        return new

    def _with(self, number: int) -> int:
        return self.earlier[number] | self.bit.get(number, 0)

    def _last_turn(self, exit: int) -> int:
        """What surely comes before an exit in every turn: each of them hangs on the one before."""
        loop = self.loops.get(exit)
        if loop is None or not self._with(loop.back) & self.bit[loop.head]:
            return 0
        return self._with(loop.back)

    def __call__(self, first: int, second: int) -> bool:
        """Whether one of the two surely comes before the other."""
        return bool(
            self.earlier[second] & self.bit[first] or self.earlier[first] & self.bit[second]
        )


def _before(operations: Sequence[Operation], touched: Mapping[str, Mapping[int, str]]) -> _Order:
    return _Order(operations, sorted({number for users in touched.values() for number in users}))


def _matter(program: Program, guards: Guarded) -> set[int]:
    """What a later state or another worker depends on; anything else is only fetched."""
    waiting = [
        number
        for number, operation in enumerate(program.operations)
        if operation.kind in (ASSIGN, COLLECTIVE)
    ]
    found: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            operation = program.operations[number]
            waiting += [port.of for port in operation.inputs]
            waiting += [guard.of for guard in guards.under[number] or ()]
            waiting += guards.decided[number]
            waiting += [] if operation.back is None else [operation.back.of]
    return found
