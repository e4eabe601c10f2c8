"""An order that all workers draw alike, anew for each round through the data, and cut by rank.

There a worker sees in the second round what another one saw in the first. Taken together, step by
step, no example comes twice within a round; where they draw for themselves, one soon does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record.events import Examples

if TYPE_CHECKING:
    from ..record.records import Worker

SAME = 0.8  # of a round's examples are those of the first one; the rest may be left over each time


@dataclass(frozen=True)
class Cut:
    """So many rounds, of so many steps and examples of all workers together."""

    rounds: int
    steps: int
    examples: int


def cut_anew(workers: Sequence[Worker], via: str) -> Cut | None:
    """None where that is not seen, or no second round was begun."""
    found = _rounds(_together(workers, via))
    if len(found) < 2:
        return None
    steps, first = found[0]
    lengths = [each for each, _ in found[1:-1]]
    alike = all(len(rows & first) >= SAME * len(rows) for _, rows in found[1:])
    if not alike or any(each != steps for each in lengths) or found[-1][0] > steps:
        return None
    return Cut(len(found), steps, len(first))


def _together(workers: Sequence[Worker], via: str) -> Iterator[list[str]]:
    """What all workers took in their first step, in their second one, …"""
    taken = [[e.rows for e in w.all(Examples) if e.via == via and e.rows] for w in workers]
    for batches in zip(*taken):
        yield [row for batch in batches for row in batch]


def _rounds(steps: Iterator[list[str]]) -> list[tuple[int, set[str]]]:
    """The number of steps and the examples of each round; a step with an example of it ends it."""
    found: list[tuple[int, set[str]]] = []
    for rows in steps:
        if len(set(rows)) < len(rows):
            return []  # twice in one step
        if not found or found[-1][1].intersection(rows):
            found.append((0, set()))
        made, seen = found[-1]
        found[-1] = made + 1, seen.union(rows)
    return found
