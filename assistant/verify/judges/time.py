"""How much of the time was the probe's own?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.events import Times
from ..record.verdict import Verdict, note
from . import judge
from ._seen import everyone
from ._words import percent

if TYPE_CHECKING:
    from ..record.evidence import Evidence

MOST = 0.10


@judge(order=90, asks="how much of the time was the probe's own")
def time(evidence: Evidence) -> Iterator[Verdict]:
    """Says so where watching took more than a tenth; times of steps are then none of the job's."""
    last = [times for worker in everyone(evidence) for times in worker.all(Times)[-1:]]
    most = max((each for each in last if each.seconds > 0), key=_share, default=None)
    if most is not None and _share(most) > MOST:
        figures = f"{most.probe:.1f} s of {most.seconds:.1f} s, {percent(_share(most))}"
        yield note("watching took long", f"{figures} of the time of the steps")


def _share(times: Times) -> float:
    return min(1.0, times.probe / times.seconds)
