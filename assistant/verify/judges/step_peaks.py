"""How much memory does a step need, and how much did it need before? (D501)"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ..record.events import Memory
from ..record.verdict import Verdict, note
from . import judge
from ._seen import everyone

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

MEGABYTE = 1 << 20


class Step(NamedTuple):
    """The median of a worker's steps."""

    bytes: float
    seconds: float
    device: str


@judge(order=85, asks="how much memory a step needs")
def memory(evidence: Evidence) -> Iterator[Verdict]:
    """Tells the largest peak of all workers; says nothing where the allocator counts nothing."""
    steps = [step for worker in everyone(evidence) for step in _steps(worker)]
    if not steps:
        return
    largest = max(steps)
    alone = evidence.baseline.worker if evidence.baseline is not None else None
    before = next(_steps(alone), None) if alone is not None else None
    yield note("memory of a step", _peak(largest, before, len(evidence.workers)))


def _steps(worker: Worker) -> Iterator[Step]:
    found = [each for each in worker.all(Memory) if each.bytes > 0]
    if found:
        size, seconds = (median(values) for values in zip(*((m.bytes, m.seconds) for m in found)))
        yield Step(size, seconds, found[0].device)


def _peak(step: Step, before: Step | None, workers: int) -> str:
    peak = f"{step.bytes / MEGABYTE:.1f} MB at the peak of a step ({step.device})"
    if before is None or before.device != step.device:
        return peak
    ratio = f"{step.bytes / before.bytes:.2f} times as much"
    time = ""
    if before.seconds > 0:
        time = f"{step.seconds / before.seconds:.1f} times as long with {workers} at a time"
    was = f"{before.bytes / MEGABYTE:.1f} MB in the program on one process"
    return f"{peak}, {was}: {', '.join(filter(None, [ratio, time]))}"
