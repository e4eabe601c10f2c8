"""What each worker saw of the data in its first epoch, as far as that can be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..record.events import EpochEnd, Examples, Iteration

if TYPE_CHECKING:
    from ..record.records import Worker


@dataclass(frozen=True)
class Epoch:
    """The fingerprints of the examples of a worker's first epoch, step by step.

    `whole` says whether the worker went through its data once: it began to see it again.
    """

    rank: int
    via: str
    batches: tuple[tuple[str, ...], ...]
    whole: bool

    @cached_property
    def rows(self) -> Counter[str]:
        """How often each example was seen."""
        return Counter(row for batch in self.batches for row in batch)

    @property
    def seen(self) -> int:
        """How many examples the worker had, each as often as it had it."""
        return sum(self.rows.values())

    @property
    def twins(self) -> float:
        """The share of examples that have a twin in the same epoch: natural duplicates."""
        twins = sum(times for times in self.rows.values() if times > 1)
        return twins / self.seen if self.seen else 0.0


def vias(worker: Worker) -> Counter[str]:
    """How many examples were seen in each way."""
    found: Counter[str] = Counter()
    for each in worker.all(Examples):
        found[each.via] += len(each.rows)
    return found


def common_via(workers: Sequence[Worker]) -> str | None:
    """The way in which the most were seen on all workers; fingerprints compare only within one."""
    found = [vias(worker) for worker in workers]
    ways = set.intersection(*(set(+each) for each in found)) if found else set()
    return max(ways, key=lambda via: (min(each[via] for each in found), via), default=None)


def first_epoch(worker: Worker, via: str) -> Epoch:
    """The steps of the first round through the data, as far as its end was seen.

    Else those up to the first one of which every example had been seen before. The first batch
    can't tell: a program that trains on one batch for ever sees it again at once.
    """
    taken = [each for each in worker.all(Examples) if each.via == via and each.rows]
    end = _end(worker, taken[0].steps) if taken else None
    seen: set[str] = set()
    batches: list[tuple[str, ...]] = []
    for each in taken:
        if each.steps > end if end is not None else seen.issuperset(each.rows):
            return Epoch(worker.rank, via, tuple(batches), whole=True)
        seen.update(each.rows)
        batches.append(each.rows)
    return Epoch(worker.rank, via, tuple(batches), whole=end is not None)


def _end(worker: Worker, first: int) -> int | None:
    """After how many steps the data of that step came to its end, or was begun anew."""
    found = [each.steps for each in worker.all(EpochEnd)]
    begun: dict[int, int] = {}
    for each in worker.all(Iteration):
        if begun.get(each.dataset, each.steps) != each.steps:
            found.append(each.steps)
        begun[each.dataset] = each.steps
    return min((steps for steps in found if steps >= first), default=None)


def made(worker: Worker, steps: int) -> int:
    """How many rounds through the data a worker began and made steps in, of so many steps."""
    ended = {each.steps for each in worker.all(EpochEnd)}
    begun: dict[int, set[int]] = {}
    for each in worker.all(Iteration):
        if each.steps < steps:
            begun.setdefault(each.dataset, set()).add(each.steps)
    return max([len(ended), *map(len, begun.values())])
