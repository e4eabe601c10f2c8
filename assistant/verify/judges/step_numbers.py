"""Do all workers make the same number of steps? (D107 data, D302 callbacks, H02, H03)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.endings import BrokenOff, Limited
from ..record.events import Collective
from ..record.verdict import Verdict, convicted, fine, note, unchecked
from . import _seen, judge
from ._early_ends import EQUAL, departure, leaver, reason
from ._uneven_ends import uneven
from ._words import count, same, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence

ASKS = "whether all workers make the same number of steps"
SWALLOWED = (
    "catch what is expected alone, outside of the step (`except ValueError` around the reading of "
    "a record), and let all workers leave out a step together"
)
UNEVEN = "the workers make different numbers of steps"


@judge(order=30, asks=ASKS, sees=("steps",))
def steps(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts a worker that leaves before the others; a job that hung is told by its own judge."""
    made = {worker.rank: _seen.steps(worker) for worker in _seen.everyone(evidence)}
    found = leaver(evidence) if evidence.ending in ("done", "failed") else None
    if evidence.ending == "done" and (why := _unseen(evidence)):
        yield unchecked(ASKS, why)
    elif (off := _broken_off(evidence)) is not None:
        yield off
    elif (ends := uneven(evidence)) and ends.differing:
        yield convicted("H03", UNEVEN, ends.told, fix=EQUAL)  # joins what the drift is told as
    elif found and evidence.ending == "done" and _seen.averages(evidence):
        yield _odd(evidence, made)
    elif found:
        cause = reason(evidence, found)
        yield convicted(
            cause.code,
            cause.title,
            f"{departure(found)}: {cause.why}",
            ranks=found.ranks,
            where=cause.where,
            fix=cause.fix,
            places=(found.where,) if found.where and found.where != cause.where else (),
        )
    elif evidence.ending != "done":
        numbers = ", ".join(map(str, made.values())) or "none"
        yield unchecked(ASKS, f"the job did not come to its end (steps so far: {numbers})")
    elif same(made.values()):
        yield fine(ASKS, _how_many(evidence, max(made.values())))


def _broken_off(evidence: Evidence) -> Verdict | None:
    """Workers that swallowed the end of another one: it had left out what they still called."""
    off = {
        worker.rank: worker.all(BrokenOff)[0]
        for worker in _seen.everyone(evidence)
        if worker.all(BrokenOff) and _seen.fatal(worker) is None
    }
    if evidence.ending != "done" or not off:
        return None  # one that is ended on its way out had no time to say by what
    why = (
        f"{workers(tuple(off))} called a collective when another worker had come to its end; the "
        "program swallows the exception of it, and whatever made the other one leave out a step"
    )
    where = next(iter(off.values())).where
    return convicted("H03", UNEVEN, why, ranks=tuple(off), where=where, fix=SWALLOWED)


def _odd(evidence: Evidence, made: dict[int, int]) -> Verdict:
    """Other numbers of steps in a job that averages and still came to its end."""
    numbers = ", ".join(f"{number} on worker {rank}" for rank, number in made.items())
    if ranks := _seen.idle(evidence):
        return note(UNEVEN, f"{numbers}; what the others apply is sent to {workers(ranks)}")
    if any(each.kind == "join" for each in _seen.across(evidence, Collective)):
        return note(UNEVEN, f"{numbers}; hvd.join() waits")
    why = f"{numbers} were seen, which would have stopped the job: some were not seen"
    return unchecked(ASKS, why)


def _unseen(evidence: Evidence) -> str:
    if lost := _seen.missing(evidence):
        return f"{workers(lost)} left no records"
    return "" if _seen.made_steps(evidence) else "no optimizer step was seen"


def _how_many(evidence: Evidence, made: int) -> str:
    limit = "; ended there by --limit-steps" if list(_seen.across(evidence, Limited)) else ""
    return f"{count(made, 'step')} on every worker{limit}"
