"""Is the learning rate scaled by the number of workers, the same on all? (D104, D302)"""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose, sqrt
from typing import TYPE_CHECKING

from ..events import Optimizer
from ..verdict import Verdict, convicted, fine, note, unchecked
from . import judge
from ._causes import STEERING
from ._rates import differing, table
from ._seen import everyone, first_place, fits_of, optimizers, sets_its_rate
from .shards import takes_one_batch, takes_share_at_once

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..records import Worker

ASKS = "whether the learning rate is scaled by the number of workers"
ALL_AT_ONCE = "so it is to stay if one process takes all of the data in a step"
WARM_UPS = {"LearningRateWarmupCallback", "LearningRateScheduleCallback", "WarmUpRate"}


@judge(order=60, asks=ASKS, sees=("rate",))
def rates(evidence: Evidence) -> Iterator[Verdict]:
    """Compares each optimizer's first rate with the one it has on one worker."""
    yield from _differing(evidence)
    known, one = optimizers(evidence), _alone(evidence)
    if isinstance(one, str):
        yield unchecked(ASKS, one)
        return
    alone = {each.id: each for each in one.all(Optimizer)}
    first = next(worker for worker in everyone(evidence) if worker.all(Optimizer))
    for id, optimizer in known.items():
        if optimizer.api != "none":
            yield _judged(evidence, optimizer, _first(first, optimizer), _first(one, alone.get(id)))


def _alone(evidence: Evidence) -> Worker | str:
    """The run on one worker, or why there is none to compare with."""
    reference = evidence.reference
    if all(each.api == "none" for each in optimizers(evidence).values()):
        return "no optimizer was seen"
    if reference is None:
        return "the program was not run on one worker (--no-reference)"
    if reference.worker is None or not reference.worker.all(Optimizer):
        why = "hung" if reference.hung else "never came to a training step"
        return f"the run on one worker, whose rate would be compared, {why}"
    return reference.worker


def _differing(evidence: Evidence) -> Iterator[Verdict]:
    found = differing(evidence)
    if found:
        (rank, other), (one, two) = found.ranks, found.values
        yield convicted(
            "D302",
            "the learning rates of the workers differ",
            f"in step {found.steps}: {one:g} on worker {rank}, {two:g} on worker {other}",
            ranks=(rank, other),
            where=first_place(fits_of(evidence)),
            fix=STEERING,
        )


def _first(worker: Worker, optimizer: Optimizer | None) -> float | None:
    """The rate of an optimizer's first step that was seen."""
    if optimizer is None:
        return None
    seen = {steps: rate for (id, steps), rate in table(worker).items() if id == optimizer.id}
    return seen[min(seen)] if seen else optimizer.rate


def _highest(evidence: Evidence, optimizer: Optimizer, first: float) -> float:
    """The highest rate of a rate that only grows; where it also falls, that of the first step."""
    worker = everyone(evidence)[0]
    seen = [rate for (id, _), rate in sorted(table(worker).items()) if id == optimizer.id]
    return seen[-1] if seen == sorted(seen) and seen else first


def _judged(
    evidence: Evidence, optimizer: Optimizer, many: float | None, one: float | None
) -> Verdict:
    size, name = evidence.job.size, optimizer.cls or "the optimizer"
    if many is None or one is None:
        return unchecked(ASKS, f"the rate of {name} could not be read", where=optimizer.where)
    figures = f"{name}: {many:.6g} on {size} workers, {one:.6g} on one"
    if isclose(many, size * one, rel_tol=1e-4):
        return fine(ASKS, f"{figures} ({size} times)")
    top = _highest(evidence, optimizer, many)
    if one <= many * (1 + 1e-4) and isclose(top, size * one, rel_tol=1e-4):
        return fine(ASKS, f"{figures}; it grows to {top:.6g} ({size} times)")
    warm = any(WARM_UPS & set(each.names) for each in fits_of(evidence))
    if warm or one <= many * (1 + 1e-4) < top < size * one:
        text = f"{figures}; it is warmed up, and its end was not waited for"
        return unchecked(ASKS, text, where=optimizer.where)
    if many == one and evidence.job.limit_steps and sets_its_rate(evidence):
        text = f"{figures}; the program sets it itself, and --limit-steps ended it before it grew"
        return unchecked(ASKS, text, where=optimizer.where)
    if isclose(many, sqrt(size) * one, rel_tol=1e-4):
        text = f"{figures}: by the root of the number of workers, as some do for Adam"
        return note("the learning rate is scaled by another rule", text, where=optimizer.where)
    if many == one and takes_one_batch(evidence):
        text = f"{figures}: every step takes the same batch on all of them, so it is to stay"
        return note("the learning rate is not scaled", text, where=optimizer.where)
    if many == one and takes_share_at_once(evidence):
        text = f"{figures}: every step takes all of a worker's share, {ALL_AT_ONCE}"
        return unchecked(ASKS, text, where=optimizer.where)
    return _unscaled(optimizer, figures, many, one, size)


def _unscaled(optimizer: Optimizer, figures: str, many: float, one: float, size: int) -> Verdict:
    title = "the learning rate is not scaled"
    if many != one:
        title = "the learning rate is scaled wrongly"
    ratio = f", {many / one:.4g} times" if one else ""
    return convicted(
        "D104",
        title,
        f"{figures}{ratio}; {size} workers take one step for {size} times as many examples, "
        f"so it is to be {size} times ({size * one:.6g})",
        where=optimizer.where,
        fix="multiply the whole rate, in parentheses: `(base + extra) * hvd.size()`",
    )
