"""How fast a program trains with other numbers of workers: steps and examples a second.

Each number is a run of its own, in a folder that only looks like the user's: what an earlier run
has saved is not gone on from. The time that the probe took is taken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Optional

from ..record.events import Examples, Times
from ..record.records import read
from .copies import lay_out
from .launch import job_order, started
from .watch import Rules, Watch

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker
    from .interrupt import Interrupt
    from .job import Job
    from .program_python import Setting
    from .watch import Teller

FEW = 3  # steps that say nothing yet about a speed


class Speed(NamedTuple):
    """What was measured with so many workers; None: it could not be, and `why` says why."""

    workers: int
    steps: Optional[float] = None  # noqa: UP045  a second; Python 3.9 evaluates it
    examples: Optional[float] = None  # noqa: UP045  of all workers together, a second
    why: str = ""

    def efficiency(self, first: Speed) -> float | None:
        """What each worker does, as a part of what it does in the smallest job."""
        mine, its = self.figure(first), first.figure(self)
        return mine / self.workers / (its / first.workers) if mine and its else None

    def figure(self, other: Speed) -> float | None:
        """Examples a second; where one of two jobs has none, steps by workers: batches."""
        if self.examples and other.examples:
            return self.examples
        return self.steps * self.workers if self.steps else None


def others(
    job: Job, setting: Setting, folder: Path, interrupt: Interrupt, tell: Teller
) -> list[Speed]:
    """The speeds of the other numbers of workers, in their order."""
    found = []
    for number in job.measured:
        if not interrupt.asked:
            tell.phase(f"{number} workers", number)
            found.append(
                _alone(replace(job, workers=number), setting, folder / str(number), interrupt, tell)
            )
    return found


def _alone(job: Job, setting: Setting, folder: Path, interrupt: Interrupt, tell: Teller) -> Speed:
    where = folder.with_name(f"{folder.name}-cwd")
    lay_out(Path.cwd(), where)
    order = job_order(replace(job, script=job.script.resolve()), setting, folder)
    with started(replace(order, cwd=where), interrupt) as running:
        rules = Rules(job.timeout, job.workers, job.limit_time, launched=True)
        look = Watch(running, rules, tell).until_decided(interrupt)
    if look.ending != "ended" or look.code:
        why = look.endless or ("hung" if look.ending == "hang" else "failed")
        return Speed(job.workers, why=f"it {why}")
    return speed(job.workers, list(read(folder).values()))


def of_job(evidence: Evidence) -> Speed:
    """The speed of the job that is judged."""
    if evidence.ending != "done":
        return Speed(evidence.job.workers, why="it did not come to its end")
    return speed(evidence.job.workers, list(evidence.workers.values()))


def speed(number: int, workers: Sequence[Worker]) -> Speed:
    """Of the slowest worker, as the others wait for it."""
    rates = [rate for rate in map(_steps_a_second, workers) if rate is not None]
    if len(rates) != number:
        return Speed(number, why=f"it made too few steps to measure: {FEW} and more are needed")
    step = [_examples_a_step(worker) for worker in workers]
    known = [each for each in step if each is not None]
    examples = sum(known) * min(rates) if len(known) == number else None
    return Speed(number, min(rates), examples)


def _steps_a_second(worker: Worker) -> float | None:
    """Between the first and the last look; the first step is traced and compiled."""
    looks = [each for each in worker.all(Times) if each.steps]
    if not looks or looks[-1].steps - looks[0].steps < FEW:
        return None
    first, last = looks[0], looks[-1]
    seconds = (last.seconds - last.probe) - (first.seconds - first.probe)
    return (last.steps - first.steps) / seconds if seconds > 0 else None


def _examples_a_step(worker: Worker) -> float | None:
    rows: dict[int, int] = {}
    for each in worker.all(Examples):
        rows[each.steps] = rows.get(each.steps, 0) + len(each.rows)
    return sum(rows.values()) / len(rows) if rows else None
