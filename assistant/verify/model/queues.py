"""Whether an entry or a removal of a queue can block for ever in one run (M05).

Only the operations on queues and their order matter: all orders of those are tried. A queue that
the graph only takes from, or only fills, is filled or emptied elsewhere and can't be judged here.
A mutex that is freed by whoever takes it, without waiting for anything else, blocks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .guards import Guarded
from .kernel import DEQUEUE, ENQUEUE, Operation, Program, Unmodelled
from .kinds import SEVERAL
from .mutexes import Section, mutexes, waiting
from .order import Order

MOST = 14  # operations on queues of one run: 2^14 sets of them


@dataclass(frozen=True)
class Blocked:
    """Operations that wait for ever in some order."""

    queue: str
    numbers: tuple[int, ...]


def blocked(
    program: Program, guards: Guarded, served: frozenset[str] = frozenset()
) -> Blocked | None:
    """One way to block, if there is one; `served`: queues that other runs fill or empty.

    Raises Unmodelled.
    """
    users = _users(program, guards, served)
    if not users:
        return None
    if any(guards.under[number] for number in users):
        raise Unmodelled("operations on queues under a condition")
    if several := [k for k in users if program.operations[k].function in SEVERAL]:
        what = program.operations[several[0]]
        raise Unmodelled(f"{what.name}: several entries of a queue at once ({what.function})")
    if len(users) > MOST:
        raise Unmodelled(f"more than {MOST} operations on queues")
    stuck = _stuck(program, users)
    if not stuck:
        return None
    return Blocked(program.operations[stuck[0]].of, tuple(stuck))


def open_ended(program: Program, guards: Guarded, served: frozenset[str]) -> list[str]:
    """The queues that are not judged, as other runs fill or empty them, too."""
    return sorted(served & _both_ways(waiting(program, guards), program))


def _users(program: Program, guards: Guarded, served: frozenset[str]) -> list[int]:
    queues = waiting(program, guards)
    judged = _both_ways(queues, program) - served
    numbers = sorted(number for queue in judged for number in queues[queue])
    order = Order(program, guards, (number for users in queues.values() for number in users))
    found = mutexes(program, guards, order)
    nested = {
        section.queue
        for section in found.sections
        if section.end is None or _waits_within(section, numbers, order)
    }
    alone = {each for each in found.queues - nested if each in program.unordered}
    return [number for number in numbers if program.operations[number].of not in alone]


def _both_ways(queues: Mapping[str, Sequence[int]], program: Program) -> set[str]:
    kinds = {
        queue: {program.operations[number].kind for number in numbers}
        for queue, numbers in queues.items()
    }
    return {queue for queue, found in kinds.items() if len(found) == 2}


def _waits_within(section: Section, numbers: Sequence[int], order: Order) -> bool:
    """Whether anything waits between the taking and the freeing, before it is freed."""
    return any(
        section.end is not None and order.before(number, section.end)
        for number in numbers
        if number != section.begin and not order.before(number, section.begin)
    )


def _stuck(program: Program, users: Sequence[int]) -> list[int]:
    """The operations that wait at the end of some order; sets of done ones as bits."""
    earlier = _earlier(program.operations, users)
    all_done = (1 << len(users)) - 1
    waiting, seen = [0], {0}
    while waiting:
        done = waiting.pop()
        open_ones = [k for k in range(len(users)) if not done >> k & 1 and earlier[k] & ~done == 0]
        possible = [k for k in open_ones if _fits(program, users, done, k)]
        if not possible and done != all_done:
            return [users[k] for k in open_ones]
        for k in possible:
            after = done | 1 << k
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return []


def _fits(program: Program, users: Sequence[int], done: int, k: int) -> bool:
    """Whether there is room, or an entry, for operation k."""
    mine = program.operations[users[k]]
    held = 0
    for bit, number in enumerate(users):
        each = program.operations[number]
        if done >> bit & 1 and each.of == mine.of:
            held += 1 if each.kind == ENQUEUE else -1
    if mine.kind == DEQUEUE:
        return held > 0
    return program.queues[mine.of] < 0 or held < program.queues[mine.of]


def _earlier(operations: Sequence[Operation], users: Sequence[int]) -> Sequence[int]:
    """For each of the users the others that surely come before it, as bits."""
    bit: Mapping[int, int] = {number: 1 << k for k, number in enumerate(users)}
    found: list[int] = []
    for operation in operations:
        mine = 0
        for source in (*(port.of for port in operation.inputs), *operation.controls):
            mine |= found[source] | bit.get(source, 0)
        found.append(mine)
    return [found[number] for number in users]
