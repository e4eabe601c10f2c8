"""Learning rates of the workers, by optimizer and step."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

from ..record.events import Rate
from ._seen import everyone

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

Table = dict[tuple[int, int], float]  # by optimizer and step


@dataclass(frozen=True)
class Difference:
    """Two workers made the same step of one optimizer with other rates."""

    optimizer: int
    steps: int
    ranks: tuple[int, int]
    values: tuple[float, float]


def table(worker: Worker) -> Table:
    """The rates of a worker."""
    return {(rate.optimizer, rate.steps): rate.value for rate in worker.all(Rate)}


def differing(evidence: Evidence) -> Difference | None:
    """The earliest step at which rates differ, if there is one."""
    tables = [(worker.rank, table(worker)) for worker in everyone(evidence)]
    found = [
        Difference(key[0], key[1], (tables[0][0], rank), (tables[0][1][key], other[key]))
        for rank, other in tables[1:]
        for key in other
        if key in tables[0][1] and not isclose(other[key], tables[0][1][key], rel_tol=1e-5)
    ]
    return min(found, key=_step, default=None)


def _step(difference: Difference) -> int:
    return difference.steps


def first_rate(worker: Worker, optimizer: int) -> float | None:
    """The rate of an optimizer's first step that was seen."""
    seen = {steps: rate for (id, steps), rate in table(worker).items() if id == optimizer}
    return seen[min(seen)] if seen else None


def levels(worker: Worker, optimizer: int) -> list[tuple[int, float]]:
    """Each rate that differs from the one before, with the first step that was seen to have it."""
    found: list[tuple[int, float]] = []
    for (id, step), rate in sorted(table(worker).items()):
        if id == optimizer and not (found and isclose(found[-1][1], rate, rel_tol=1e-5)):
            found.append((step, rate))
    return found
