"""Who sets a rate that is wrong: a line or a callback that replaces what was right."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

from ..record.events import Rate
from ._rate_readings import first_rate

if TYPE_CHECKING:
    from ..record.records import Worker

SCALE_SET = "multiply by hvd.size() what is set there, too"
RETURNED = "multiply by hvd.size() what its function returns, too"


@dataclass(frozen=True)
class Setter:
    """A `place` at which, `by` a callback maybe, a rate is set; `right` was that of before."""

    place: str
    by: str
    right: float

    @property
    def told(self) -> str:
        """`LearningRateScheduler sets it`."""
        return f"{self.by or self.place} sets it, in the place of {self.right:.6g}, which was right"

    @property
    def fix(self) -> str:
        """What mends the value."""
        return RETURNED if self.by == "LearningRateScheduler" else SCALE_SET


def setter(job: Worker, one: Worker, optimizer: int, wanted: float) -> Setter | None:
    """What replaced the rate that an optimizer was made with, if that was as it is to be."""
    mine, its = set_at(job, optimizer), set_at(one, optimizer)
    alone = its.was if its is not None else first_rate(one, optimizer)
    if mine is None or mine.where is None or mine.was is None or alone is None:
        return None
    if not isclose(mine.was, wanted * alone, rel_tol=2e-3):
        return None
    return Setter(mine.where, mine.by, mine.was)


def set_at(worker: Worker, optimizer: int, step: int = 0) -> Rate | None:
    """The first rate of an optimizer, from a step on, that a line or a callback has set."""
    own = (each for each in worker.all(Rate) if each.optimizer == optimizer and each.where)
    return next((each for each in own if each.steps >= step), None)
