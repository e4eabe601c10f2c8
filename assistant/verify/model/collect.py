"""Whether the workers' collectives can all complete (M04), by the merged order of their graphs.

A collective completes when all workers have called it. Let those of one name, the n-th of each
worker, be one event: all complete if and only if all workers have the same events and the merged
order of all graphs has no circle (where no decision of a worker's own leaves one out: that is M02).
Equal workers call alike, so one of each class stands for any number of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .guards import Guarded
from .kernel import COLLECTIVE, Program
from .turns import turns

Event = tuple[str, int]  # the name, and how often it was called before


@dataclass(frozen=True)
class Trouble:
    """`kind`: missing, mismatch, circle or step; `numbers`: the operation of each worker."""

    kind: str
    names: tuple[str, ...]
    numbers: Mapping[int, int]


def troubles(workers: Sequence[tuple[Program, Guarded]]) -> Iterator[Trouble]:
    """What keeps collectives from completing, between one worker of each class."""
    events = [dict(_events(program, guards)) for program, guards in workers]
    everything = {event: None for each in events for event in each}
    missing = [event for event in everything if any(event not in each for each in events)]
    for event in missing:
        having = {k: each[event] for k, each in enumerate(events) if event in each}
        yield Trouble("missing", (event[0],), having)
    for event in everything:
        if event in missing:
            continue
        numbers = {k: each[event] for k, each in enumerate(events)}
        operations = [workers[k][0].operations[number] for k, number in numbers.items()]
        if len({each.digest for each in operations}) > 1:
            yield Trouble("mismatch", (event[0],), numbers)
        if len({each.step for each in operations}) > 1:
            yield Trouble("step", (event[0],), numbers)
    if circle := _circle(workers, events):
        numbers = {k: each[circle[0]] for k, each in enumerate(events) if circle[0] in each}
        yield Trouble("circle", tuple(name for name, _ in circle), numbers)


def _events(program: Program, guards: Guarded) -> Iterator[tuple[Event, int]]:
    called: Counter[str] = Counter()
    for number, operation in enumerate(program.operations):
        if operation.kind == COLLECTIVE and guards.under[number] is not None:
            yield (operation.of, called[operation.of]), number
            called[operation.of] += 1


def _circle(
    workers: Sequence[tuple[Program, Guarded]], events: Sequence[Mapping[Event, int]]
) -> tuple[Event, ...]:
    """Events that wait for one another; empty where there are none. Kahn's algorithm, linear."""
    after: dict[Hashable, list[Hashable]] = {}
    waits: Counter[Hashable] = Counter()
    for worker, (program, _) in enumerate(workers):
        event = {number: each for each, number in events[worker].items()}

        def vertex(number: int, event: dict[int, Event] = event, k: int = worker) -> Hashable:
            return event.get(number, (k, number))

        loops = turns(program.operations)
        for number, operation in enumerate(program.operations):
            mine = vertex(number)
            waits[mine] += 0
            ends = [loops[number].back] if number in loops else []
            for source in {*(port.of for port in operation.inputs), *operation.controls, *ends}:
                after.setdefault(vertex(source), []).append(mine)
                waits[mine] += 1
    left = _unordered(after, waits)
    return tuple(each for each in {e: None for one in events for e in one} if each in left)


def _unordered(
    after: Mapping[Hashable, Iterable[Hashable]], waits: Counter[Hashable]
) -> set[Hashable]:
    """What can't be put into an order."""
    ready = [each for each, number in waits.items() if not number]
    done: set[Hashable] = set()
    while ready:
        each = ready.pop()
        done.add(each)
        for other in after.get(each, ()):
            waits[other] -= 1
            if not waits[other]:
                ready.append(other)
    return set(waits) - done
