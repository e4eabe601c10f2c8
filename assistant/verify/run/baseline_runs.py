"""Runs the baseline beside a job: as it is, and with the batches of all workers together.

As it is, it says how many examples there are to be seen, and makes the steps of N workers that take
an Nth of each of its batches. With N times the batch and N times the rate, for as many steps as the
job made, it makes those of N workers that take whole ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..judges import _seen
from ..judges._like_baseline import keeps_batch
from . import reference

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from .interrupt import Interrupt
    from .watch import Teller


def with_baseline(
    evidence: Evidence, interrupt: Interrupt | None = None, tell: Teller | None = None
) -> Evidence:
    """The evidence with both runs of `--baseline FILE`; as it was where none was asked for.

    Raises OSError where the program can't be started.
    """
    job = evidence.job
    if job.baseline is None or evidence.ending != "done":
        return evidence
    evidence = reference.baseline(evidence, interrupt=interrupt, tell=tell)
    steps = min(map(_seen.steps, _seen.everyone(evidence)), default=0)
    if not steps or keeps_batch(evidence):
        return evidence
    limited = replace(evidence, job=replace(job, limit_steps=steps))
    enlarged = reference.baseline(
        limited,
        batch_factor=job.workers,
        rate_factor=float(job.workers),
        folder=evidence.folder.parent / "enlarged",
        interrupt=interrupt,
        tell=tell,
    )
    return replace(evidence, enlarged=enlarged.baseline)
