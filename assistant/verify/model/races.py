"""Operations of one run that touch a variable in an order that is left to chance (M03).

By happens-before (`order.py`): two that touch a variable, not both only reading it, neither surely
before the other; in loops of TensorFlow 1 also those of two turns. The same of two entries, or two
removals, of a queue. Σ a² pairs for a operations of one variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from .guards import Guarded
from .kernel import (
    ADDS,
    ASSIGN,
    COLLECTIVE,
    DEQUEUE,
    ENQUEUE,
    READS,
    Operation,
    Program,
)
from .mutexes import Mutexes, mutexes, waiting
from .order import Order
from .starting import Starting

COMMUTES, FETCH, RACE, ENTRIES = "commutes", "fetch", "race", "entries"
EXCLUDE, STARTS = "exclude", "starts"
TURNS = "turns"
KEEPING = (ASSIGN, COLLECTIVE, ENQUEUE)  # what a later state or another worker depends on
HARMLESS = frozenset({COMMUTES, FETCH, EXCLUDE, STARTS})


class Race(NamedTuple):
    """Two operations on one variable or queue.

    RACE; FETCH: only what is fetched depends on it; COMMUTES: additions; EXCLUDE: in either order
    but never at once; STARTS: a first value, and what starts from it; ENTRIES: which entry of a
    queue comes first. `between`: "turns" of a loop, or "runs" that overlap.
    """

    variable: str
    first: int
    second: int
    kind: str
    between: str = ""
    mutex: str = ""


def races(program: Program, guards: Guarded) -> Iterator[Race]:
    """Every pair whose order is open, but for reads with reads."""
    yield from _Races(program, guards).all()


class _Races:
    def __init__(self, program: Program, guards: Guarded) -> None:
        self.program, self.guards = program, guards
        self.touched = _touches(program, guards)
        self.queues = waiting(program, guards)
        every = (*self.touched.values(), *self.queues.values())
        self.order = Order(program, guards, (number for users in every for number in users))
        self.mutexes: Mutexes = mutexes(program, guards, self.order)
        self.matters = _matter(program, guards)
        self.keeping = {k for k, op in enumerate(program.operations) if op.kind in KEEPING}
        self.starting = Starting(program, guards)

    def all(self) -> Iterator[Race]:
        for variable, users in self.touched.items():
            yield from self._of_variable(variable, users)
        for queue, numbers in self.queues.items():
            if queue not in self.program.unordered | self.mutexes.queues:
                yield from self._of_queue(queue, numbers)

    def _open(self, one: int, other: int) -> bool:
        return not self.order.either(one, other) and not self.guards.apart(one, other)

    def _of_variable(self, variable: str, users: Mapping[int, str]) -> Iterator[Race]:
        for (first, how), (second, other) in combinations(users.items(), 2):
            if how == other == READS:
                continue
            now = self._open(first, second)
            if now and self.starting.alike(variable, first, second):
                yield Race(variable, first, second, STARTS)
            elif now and self._comes_to_nothing((first, how), (second, other)):
                continue
            elif now or self.order.overlap(first, second):
                mutex = self.mutexes.excluding(first, second)
                kind = self._kind(users, (first, how), (second, other))
                if mutex and kind == RACE and not self._torn_apart(users, first, second):
                    kind = EXCLUDE
                yield Race(variable, first, second, kind, "" if now else TURNS, mutex)
        for number, how in users.items():
            if how not in (READS, ADDS) and self.order.overlap(number, number):
                mutex = self.mutexes.excluding(number, number)
                yield Race(variable, number, number, EXCLUDE if mutex else RACE, TURNS, mutex)

    def _comes_to_nothing(self, *pair: tuple[int, str]) -> bool:
        """Whether what is read in the last turn of a loop, beside a later write, is for none."""
        for (number, how), (later, _) in (pair, pair[::-1]):
            over = self.order.handed_over(number, later) if how == READS else None
            if over is not None:
                exits = {e for e, loop in self.order.loops.items() if loop.head in over}
                tests = {self.program.operations[head].test for head in self.order.heads}
                return not (self._made_of(number) & (self.keeping | tests)) and not (
                    exits & self.matters
                )
        return False

    def _made_of(self, number: int) -> set[int | None]:
        """What is made of a value in the same turn."""
        found: set[int | None] = {number}
        for k in range(number + 1, len(self.program.operations)):
            if any(port.of in found for port in self.program.operations[k].inputs):
                found.add(k)
        return found

    def _kind(self, users: Mapping[int, str], *pair: tuple[int, str]) -> str:
        if all(how == ADDS for _, how in pair):
            return COMMUTES
        reads = [number for number, how in pair if how == READS]
        return FETCH if reads and reads[0] not in self.matters else RACE

    def _torn_apart(self, users: Mapping[int, str], one: int, other: int) -> bool:
        """Whether a value is read in one section, and what is made of it written in another one."""
        pairs = ((one, other), (other, one))
        return any(
            users[read] == READS
            and users[between] != READS
            and any(
                how not in (READS, ADDS)
                and write != between
                and self.order.before(read, write)
                and not self.mutexes.around(read) & self.mutexes.around(write)
                and not self.order.either(write, between)
                for write, how in users.items()
            )
            for read, between in pairs
        )

    def _of_queue(self, queue: str, numbers: list[int]) -> Iterator[Race]:
        operations = self.program.operations
        emptied = [k for k in numbers if operations[k].kind == DEQUEUE]
        for one, other in combinations(numbers, 2):
            first, second = operations[one], operations[other]
            if first.kind != second.kind or not self._open(one, other):
                continue
            if self.mutexes.excluding(one, other) or self._alike(first, second):
                continue
            taken = emptied if first.kind == ENQUEUE else [one, other]
            kept = first.kind == ENQUEUE and len(emptied) < len(numbers) - len(emptied)
            serious = kept or any(number in self.matters for number in taken)
            yield Race(queue, one, other, ENTRIES if serious else FETCH)

    def _alike(self, first: Operation, second: Operation) -> bool:
        """Whether two entries are one value."""
        one, other = ([self.guards.roots[p.of] for p in e.inputs] for e in (first, second))
        return first.kind == ENQUEUE and one == other


def _touches(program: Program, guards: Guarded) -> Mapping[str, Mapping[int, str]]:
    """Who touches a variable that is written, and how."""
    found: dict[str, dict[int, str]] = {}
    for number, operation in enumerate(program.operations):
        for access in operation.accesses if guards.under[number] is not None else ():
            mine = found.setdefault(access.variable, {})
            known = mine.get(number, READS)
            mine[number] = access.how if known == READS else known
    return {
        variable: users
        for variable, users in found.items()
        if any(how != READS for how in users.values())
    }


def _matter(program: Program, guards: Guarded) -> set[int]:
    """What a later state or another worker depends on; anything else is only fetched."""
    found: set[int] = set()
    waiting = [
        number for number, operation in enumerate(program.operations) if operation.kind in KEEPING
    ]
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
