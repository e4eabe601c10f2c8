"""The job beside the program on one process: the same values, or at least a like loss.

N workers with B examples each make the same steps as one process with N·B, and N with an Nth of B
those of one with B, where the optimizer is plain SGD and each step sees the same examples (issue 3;
measured at 7e-8 in rules.md).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record.arrays import Array, NoArrays, distance, load
from ..record.endings import Limited
from ..record.events import Examples, Optimizer, State
from ..show.curves import Curve, means

if TYPE_CHECKING:
    from pathlib import Path

    from ..record.evidence import Alone, Evidence
    from ..record.records import Worker

CLOSE = 1e-5
Batches = list["Counter[str]"]


@dataclass(frozen=True)
class Values:
    """The final variables of both: how many, and the largest difference."""

    count: int
    distance: float
    name: str  # of the variable that differs most


def workers(evidence: Evidence) -> list[Worker]:
    """The workers of the job, by rank."""
    return [evidence.workers[rank] for rank in sorted(evidence.workers)]


def curves(evidence: Evidence) -> list[Curve]:
    """The losses of the job (the means of its workers) and, where there is one, of the baseline."""
    found = means(f"{evidence.job.workers} workers", workers(evidence))
    alone = likest(evidence)
    if alone and alone.worker:
        found += means("one process", [alone.worker])
    return [curve for curve in found if curve.points]


def likest(evidence: Evidence) -> Alone | None:
    """The run on one process that makes the same steps as the job, if one was made."""
    enlarged = evidence.enlarged
    if enlarged and enlarged.worker and enlarged.worker.all(State):
        return enlarged
    return evidence.baseline


def keeps_batch(evidence: Evidence) -> bool:
    """Whether all workers together take in a step what the program takes on one process."""
    alone = evidence.baseline.worker if evidence.baseline else None
    one = largest_batch(alone) if alone else 0
    return bool(one) and sum(map(largest_batch, workers(evidence))) == one


def values(job: Path, alone: Path) -> Values | str:
    """The final variables compared, or why they can't be."""
    try:
        one, two = load(job), load(alone)
    except NoArrays as error:
        return f"their final variables could not be read: {error}"
    pairs = _pairs(one, two)
    if not pairs:
        return "their variables are not the same ones"
    found = {name: distance(first, second) for name, first, second in pairs}
    worst = max(found, key=found.__getitem__)
    return Values(len(pairs), found[worst], worst)


def _pairs(one: dict[str, Array], two: dict[str, Array]) -> list[tuple[str, Array, Array]]:
    """By name, else in order: Keras numbers its layers as they are made."""
    if set(one) == set(two):
        return [(name, one[name], two[name]) for name in one]
    shapes = [array.shape for array in one.values()]
    if shapes != [array.shape for array in two.values()]:
        return []
    return [(name, first, second) for (name, first), second in zip(one.items(), two.values())]


def why_not_exact(evidence: Evidence, alone: Worker) -> str:
    """Why equal values can't be expected; empty where they can."""
    found = [o for worker in (*workers(evidence), alone) for o in worker.all(Optimizer)]
    other = sorted({each.cls for each in found if not each.plain_sgd and each.api != "none"})
    if other:
        return f"{', '.join(other)} is not plain SGD: its steps don't add up"
    if not found:
        return "no optimizer was seen"
    if evidence.job.seed_per_rank:
        return "the first step was made from other weights on each worker (--no-seed-per-rank)"
    return _other_batches(evidence, alone)


def _other_batches(evidence: Evidence, alone: Worker) -> str:
    """Whether the workers' examples of a step are together those of the single process."""
    one = _batches(alone)
    many = [_batches(worker) for worker in workers(evidence)]
    if not one or not all(many):
        return "the examples of the steps could not be seen"
    if any(len(each) != len(one) for each in many):
        return f"they make different numbers of steps ({len(one)} against {len(many[0])})"
    for step, batch in enumerate(one):
        together: Counter[str] = Counter()
        for each in many:
            together.update(each[step])
        if together != batch:
            return (
                f"step {step + 1} sees other examples: {sum(together.values())} on all workers, "
                f"{sum(batch.values())} in one process, {sum((together & batch).values())} the same"
            )
    return ""


def _batches(worker: Worker) -> Batches:
    """The examples of each step, seen in the way in which most were."""
    ways: Counter[str] = Counter()
    for each in worker.all(Examples):
        ways[each.via] += len(each.rows)
    if not ways:
        return []
    via = max(ways, key=lambda way: (ways[way], way))
    steps: dict[int, Counter[str]] = {}
    for each in worker.all(Examples):
        if each.via == via:
            steps.setdefault(each.steps, Counter()).update(each.rows)
    return [steps[step] for step in sorted(steps)]


def examples(worker: Worker) -> int:
    """How many examples a worker consumed in all its steps."""
    return sum(sum(batch.values()) for batch in _batches(worker))


def all_rows(worker: Worker) -> Counter[str]:
    """Every example that a worker consumed, as often as it did."""
    found: Counter[str] = Counter()
    for batch in _batches(worker):
        found.update(batch)
    return found


def largest_batch(worker: Worker) -> int:
    """The most examples of one step."""
    return max((sum(batch.values()) for batch in _batches(worker)), default=0)


def was_limited(worker: Worker) -> bool:
    """Whether it was ended by --limit-steps, before it saw all its data."""
    return bool(worker.all(Limited))


def last_losses(curve: Curve) -> float:
    """The mean loss of the last quarter of the points."""
    last = curve.points[-max(1, len(curve.points) // 4) :]
    return math.fsum(loss for _, loss in last) / len(last)
