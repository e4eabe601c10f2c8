"""What excludes each other: operations between the taking and the freeing of one mutex.

A mutex is a queue with room for one entry. Let one kind of its operations take it (the others free
it), and each that frees come after one of its own that takes: as there is one entry at most, one
of the sections is open at a time, whatever the queue held before. `CriticalSection` locks by an
entry; of a queue that holds a token it is the removal that locks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .guards import Guarded
from .kernel import DEQUEUE, ENQUEUE, Program
from .order import Order

WAITING = (ENQUEUE, DEQUEUE)


class Section(NamedTuple):
    """Between two operations on a queue; an `end` of None: it is never left."""

    queue: str
    begin: int
    end: int | None


def waiting(program: Program, guards: Guarded) -> dict[str, list[int]]:
    """The operations on each queue that may run."""
    found: dict[str, list[int]] = {}
    for number, operation in enumerate(program.operations):
        if operation.kind in WAITING and guards.under[number] is not None:
            found.setdefault(operation.of, []).append(number)
    return found


@dataclass(frozen=True)
class Mutexes:
    """The sections of a program."""

    sections: tuple[Section, ...]
    order: Order

    @property
    def queues(self) -> frozenset[str]:
        """The queues that are used as mutexes."""
        return frozenset(each.queue for each in self.sections)

    def around(self, number: int) -> frozenset[Section]:
        """The sections that an operation lies in."""
        before = self.order.before
        return frozenset(
            each
            for each in self.sections
            if before(each.begin, number) and (each.end is None or before(number, each.end))
        )

    def excluding(self, one: int, other: int) -> str:
        """The mutex that keeps two operations from running at once; empty if none does."""
        mine, theirs = self.around(one), self.around(other)
        shared = {each.queue for each in mine} & {each.queue for each in theirs}
        return min(shared, default="")


def mutexes(program: Program, guards: Guarded, order: Order) -> Mutexes:
    """Looks at every queue with room for one."""
    found: list[Section] = []
    for queue, users in waiting(program, guards).items():
        if program.queues.get(queue) == 1:
            found += _sections(program, queue, users, order)
    return Mutexes(tuple(found), order)


def _sections(program: Program, queue: str, users: list[int], order: Order) -> Sequence[Section]:
    for kind in WAITING:
        taking = [k for k in users if program.operations[k].kind == kind]
        freeing = [k for k in users if k not in taking]
        made = list(_sections_of(queue, taking, freeing, order))
        if freeing and len(made) == len(taking):
            return made
    return ()


def _sections_of(
    queue: str, taking: list[int], freeing: list[int], order: Order
) -> Iterator[Section]:
    """Each that frees with one before it; nothing where one is left over."""
    ends: dict[int, int] = {}
    for end in freeing:
        begin = next((k for k in reversed(taking) if k not in ends and order.before(k, end)), None)
        if begin is None:
            return
        ends[begin] = end
    for begin in taking:
        yield Section(queue, begin, ends.get(begin))
