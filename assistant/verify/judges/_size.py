"""How long a step of the job is, beside one of a single process, and for how many examples.

A step is the rate times the gradients. Those that the job applied are compared with what one
process computes of the same examples from the same weights, if it could be made to; else they are
told by what Horovod was asked to do with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from typing import TYPE_CHECKING

from ..record.events import Collective, Element, Examples, Gradients, Optimizer, Reduce
from ._epochs import common_via
from ._seen import across, everyone

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

Rows = Sequence[Sequence[float]]
CLOSE = 2e-3  # of what is computed from the same numbers in another order
SMALLEST = 1e-4  # of all gradients: sums that are smaller cancel each other out
# Updates of the same length, whatever the gradients are multiplied by.
UNFEELING = ("adam", "rmsprop", "adagrad", "adadelta", "lamb", "lion", "adafactor", "nadam")


@dataclass(frozen=True)
class Size:
    """`examples` of a step of the job for one of a single process; `gradients` likewise: how many
    times as long. None is unknown, and `why` says why they were not measured."""

    examples: float | None
    gradients: float | None
    measured: bool
    op: str = ""  # what Horovod does with them: Average, Sum, …; "" where it differs
    why: str = ""


@dataclass(frozen=True)
class Likeness:
    """Gradients of the job are those of one process times `factor`, but for a part of them."""

    factor: float
    distance: float  # the largest that is left, for the length of all
    chunks: int = 1  # the steps in which one process has computed them


def size_of(evidence: Evidence, optimizer: Optimizer) -> Size:
    """The size of a step of one optimizer."""
    op = operation(evidence)
    measured = likeness(evidence, optimizer)
    if isinstance(measured, Likeness):
        return Size(examples(evidence), measured.factor, True, op)
    return Size(examples(evidence), _by_operation(evidence, op), False, op, measured)


def feels(optimizer: Optimizer) -> bool:
    """Whether the updates of an optimizer grow with its gradients; as far as one knows, they do."""
    return not any(name in optimizer.cls.lower() for name in UNFEELING)


# ---------------------------------------------------------------- examples


def examples(evidence: Evidence) -> float | None:
    """How many examples a step of all workers takes, for one of a single process."""
    alone = evidence.reference.worker if evidence.reference else None
    workers = everyone(evidence)
    if alone is None or not workers:
        return None
    via = common_via([*workers, alone])
    if via is None:
        return None
    one, many = _batch(alone, via), [_batch(worker, via) for worker in workers]
    if not one or not all(many):
        return None
    return fsum(many) / len(many) * evidence.job.size / one


def _batch(worker: Worker, via: str) -> int:
    """The examples of a full step."""
    return max((len(e.rows) for e in worker.all(Examples) if e.via == via), default=0)


# ---------------------------------------------------------------- gradients


def operation(evidence: Evidence) -> str:
    """What Horovod does with all gradients; empty where it is not one thing, or not known."""
    found = {each.op for each in across(evidence, Reduce)}
    if not found:
        kinds = ("allreduce", "grouped_allreduce")
        found = {each.op for each in across(evidence, Collective) if each.kind in kinds}
    return found.pop() if len(found) == 1 else ""


def _by_operation(evidence: Evidence, op: str) -> float | None:
    """As far as it is known: of a loss that is a mean over a worker's examples."""
    by_hand = not any(across(evidence, Reduce))
    if by_hand and (op == "Sum" or any(each.scale != 1 for each in across(evidence, Collective))):
        return None  # what the program does with it is its own affair
    return {"Sum": float(evidence.job.size), "Adasum": None}.get(op, 1.0)


def likeness(evidence: Evidence, optimizer: Optimizer) -> Likeness | str:
    """How many times the gradients of one process, or why that is not known."""
    alone = evidence.reference.worker if evidence.reference else None
    first = next((w for w in everyone(evidence) if w.all(Optimizer)), None)
    if alone is None or first is None:
        return "there is no run on one process"
    job = [each for each in first.all(Gradients) if each.optimizer == optimizer.id]
    one = [each for each in alone.all(Gradients) if each.optimizer == optimizer.id]
    if not job or not any(first.all(Element)):
        return "the gradients or the examples of a step could not be kept"
    if not one or not _is_complete(one):
        return "one process did not take the examples of the workers"
    found = compared(job[0].sums, _mean([each.sums for each in one]))
    return replace(found, chunks=len(one)) if isinstance(found, Likeness) else found


def _is_complete(one: Sequence[Gradients]) -> bool:
    """Whether every chunk was seen once, from the first on."""
    return [each.chunk for each in one] == list(range(len(one)))


def _mean(sums: Sequence[Rows]) -> Rows:
    if len({len(each) for each in sums}) != 1:
        return []
    return [[fsum(column) / len(sums) for column in zip(*rows)] for rows in zip(*sums)]


def ratio(job: Rows, one: Rows) -> float | str:
    """By what number one process's gradients are to be multiplied to get those of the job."""
    found = compared(job, one)
    return found if isinstance(found, str) else found.factor


def compared(job: Rows, one: Rows) -> Likeness | str:
    """The gradients of the job beside those of one process."""
    if len(job) != len(one):
        return "one process trains other variables in that step"
    mine = [number for row in job for number in row[:-1]]
    its = [number for row in one for number in row[:-1]]
    length, whole = _length(its), sqrt(fsum(row[-1] for row in one))
    if not whole or length < SMALLEST * whole:
        return "the gradients of that step are next to nothing"
    factor = fsum(a * b for a, b in zip(mine, its)) / length**2
    apart = _length([a - factor * b for a, b in zip(mine, its)])
    if not factor > 0 or apart > CLOSE * factor * length:
        return (
            "what one process computes of the same examples is no multiple of it: chance in the "
            "model, state of its own, or clipping"
        )
    return Likeness(factor, apart / (factor * length))


def _length(numbers: Sequence[float]) -> float:
    return sqrt(fsum(number * number for number in numbers))
