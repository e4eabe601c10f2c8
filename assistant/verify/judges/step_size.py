"""Has a step the size that its examples ask for, and the same rate on all workers? (D104, D302)

N times the examples are worth N steps of one process: so the rate grows N times, or the gradients
do (op=Sum). Where all workers together take as many examples as one process, nothing is to grow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose, sqrt
from typing import TYPE_CHECKING

from ..record.events import Optimizer, Rate
from ..record.verdict import Verdict, convicted, fine, note, unchecked
from . import _whole, judge
from ._compared_states import compare
from ._course import off_course, warmed_up
from ._drift_causes import STEERING
from ._epochs import common_via
from ._local_sgd import averaged_in_rounds
from ._rate_readings import differing, first_rate, levels, table
from ._seen import everyone, first_place, fits_of, keeps_rate, optimizers, sets_its_rate
from ._size import Size, feels, size_of
from .shards import takes_one_batch, takes_share_at_once

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

ASKS = "whether a step is as long as its examples ask for"
ALL_AT_ONCE = "so it is to stay if one process takes all of the data in a step"
UNSEEN = "no example could be seen: it is to stay if all together take those of one process"
DIVIDED = (
    "the loss is divided by the number of workers, and its gradients are averaged, too",
    "let each worker take the mean of its own examples' losses: `tf.reduce_mean(loss)`; or let the "
    "gradients be added up, with op=hvd.Sum",
)
ADDED_UP = (
    "gradients are added up, and the learning rate is multiplied, too",
    "keep one of them: average the gradients (op=hvd.Average), or leave the rate as it was",
)
SMALLER = (
    "the batches are smaller by the number of workers, and the learning rate is multiplied",
    "leave the rate as it was, as a step of all workers takes the examples of one process; or let "
    "each worker take batches of the old size",
)
SCALE = "multiply the whole rate, in parentheses: `(base + extra) * hvd.size()`"
WARM_UPS = {"LearningRateWarmupCallback", "LearningRateScheduleCallback", "WarmUpRate"}


@judge(order=60, asks=ASKS, sees=("rate",), by_set=True)
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
            yield _compare_with_one(evidence, _pair(optimizer, first, one, alone.get(id)))


def _alone(evidence: Evidence) -> Worker | str:
    """The run on one worker, or why there is none to compare with."""
    reference = evidence.reference
    if all(each.api == "none" for each in optimizers(evidence).values()):
        return "no optimizer was seen"
    if reference is None:
        return "the program was not run on one worker (--no-reference)"
    if reference.worker is None or not reference.worker.all(Optimizer):
        why = reference.endless or ("hung" if reference.hung else "never came to a training step")
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


@dataclass(frozen=True)
class Rates:
    """What an optimizer's steps are made with: the first rate on many workers, and on one; then
    each pair of later ones, with the job's step, where both changed equally often."""

    optimizer: Optimizer
    many: float | None
    one: float | None
    later: tuple[tuple[int, float, float], ...] = ()
    runs: tuple[Worker, Worker] | None = None  # a worker of the job, and the one process

    def told(self, size: int) -> str:
        """`SGD: 0.2 on 2 workers, 0.1 on one`."""
        name = self.optimizer.cls or "the optimizer"
        return f"{name}: {self.many:.6g} on {size} workers, {self.one:.6g} on one"

    def setter(self, wanted: float) -> Setter | None:
        """What set the rate after the optimizer was made with the right one."""
        return setter(*self.runs, self.optimizer.id, wanted) if self.runs else None


def _pair(optimizer: Optimizer, job: Worker, one: Worker, alone: Optimizer | None) -> Rates:
    many, its = levels(job, optimizer.id), levels(one, optimizer.id)
    later = [(m[0], m[1], o[1]) for m, o in zip(many[1:], its[1:])] if len(many) == len(its) else []
    first, single = first_rate(job, optimizer.id), None
    if alone is not None:
        single = first_rate(one, optimizer.id)
        single = alone.rate if single is None else single
    return Rates(
        optimizer, optimizer.rate if first is None else first, single, tuple(later), (job, one)
    )


def _compare_with_one(evidence: Evidence, rates: Rates) -> Verdict:
    size, optimizer = evidence.job.size, rates.optimizer
    if rates.many is None or rates.one is None:
        name = optimizer.cls or "the optimizer"
        return unchecked(ASKS, f"the rate of {name} could not be read", where=optimizer.place)
    step = size_of(evidence, optimizer)
    if averaged_in_rounds(evidence, compare(evidence)):
        text = f"{rates.told(size)}; each worker takes steps of its own between the averages"
        return unchecked(ASKS, text, where=optimizer.place)
    if step.op == "Adasum":
        text = f"{rates.told(size)}; Adasum finds the length of a step by itself"
        return note("the length of a step is Adasum's affair", text, where=optimizer.place)
    feels_it = feels(optimizer)
    if step.gradients is None and feels_it:
        text = f"{rates.told(size)}; {step.why}, and the program reduces on its own"
        return unchecked(ASKS, text, where=optimizer.place)
    if rates.many == rates.one and common_via(everyone(evidence)) is None:
        text = f"{rates.told(size)}; {UNSEEN}"
        return unchecked(ASKS, text, where=optimizer.place)
    examples = step.examples if step.examples is not None else float(size)
    if takes_share_at_once(evidence):  # of how many one process takes at once nothing is known
        examples = float(size)
    wanted = examples / (step.gradients if feels_it and step.gradients else 1.0)
    return _judge_rate(evidence, rates, step, wanted, examples)


def _judge_rate(
    evidence: Evidence, rates: Rates, step: Size, wanted: float, examples: float
) -> Verdict:
    """`wanted`: how many times the rate of one process it is to be."""
    many, one, optimizer = rates.many or 0.0, rates.one or 0.0, rates.optimizer
    size = evidence.job.size
    figures = rates.told(size)
    near = 2e-3 if step.measured else 1e-4
    if isclose(many, wanted * one, rel_tol=near):
        if (idle := _idle_warm_up(evidence, rates)) is not None:
            return idle
        late = _off(evidence, rates, wanted, examples) or _later(rates, step, wanted, size, near)
        return late or fine(
            ASKS, f"{figures} ({wanted:.4g} times){_line(step, many, one, examples, size)}"
        )
    grown = _warm_up(evidence, rates, wanted, examples)
    if (gentle := grown or _gentle(evidence, rates, wanted, figures)) is not None:
        return gentle
    if abs(examples - size) > 0.05 * size and abs(examples - 1) > 0.05:
        text = f"{figures}; a step takes {examples:.3g} times as many examples"
        return unchecked(ASKS, text, where=optimizer.place)
    return _without_scaling(rates, step, wanted, examples, size)


def _gentle(evidence: Evidence, rates: Rates, wanted: float, figures: str) -> Verdict | None:
    """What is no fault: a warm-up, a choice, a single batch."""
    many, one, optimizer = rates.many or 0.0, rates.one or 0.0, rates.optimizer
    top = _highest(evidence, optimizer, many)
    above = one <= many * (1 + 1e-4)
    if above and isclose(top, wanted * one, rel_tol=1e-4):
        return fine(ASKS, f"{figures}; it grows to {top:.6g} ({wanted:.4g} times)")
    warm = any(WARM_UPS & set(each.names) for each in fits_of(evidence))
    if warm or (above and many * (1 + 1e-4) < top < wanted * one):
        text = f"{figures}; it is warmed up, and its end was not waited for"
        return unchecked(ASKS, text, where=optimizer.place)
    if many == one and evidence.job.limit_steps and sets_its_rate(evidence):
        text = f"{figures}; the program sets it itself, and --limit-steps ended it before it grew"
        return unchecked(ASKS, text, where=optimizer.place)
    plain = isclose(wanted, evidence.job.size, rel_tol=0.01)
    if plain and isclose(many, sqrt(evidence.job.size) * one, rel_tol=1e-4):
        text = f"{figures}: by the root of the number of workers, as some do for Adam"
        return note("the learning rate is scaled by another rule", text, where=optimizer.place)
    if many == one and keeps_rate(evidence, optimizer):
        text = f"{figures}, as `# distify: rate=kept` says"
        return note("the learning rate is not scaled", text, where=optimizer.place)
    if many == one and takes_one_batch(evidence):
        text = f"{figures}: every step takes the same batch on all of them, so it is to stay"
        return note("the learning rate is not scaled", text, where=optimizer.place)
    if many == one and takes_share_at_once(evidence):
        text = f"{figures}: every step takes all of a worker's share, {ALL_AT_ONCE}"
        return unchecked(ASKS, text, where=optimizer.place)
    return None


def _idle_warm_up(evidence: Evidence, rates: Rates) -> Verdict | None:
    """A warm-up writes a rate that a schedule replaces in each step."""
    warm = [each for each in fits_of(evidence) if "LearningRateWarmupCallback" in each.names]
    if not warm or rates.optimizer.schedule is None:
        return None
    return convicted(
        "D302",
        "the warm-up has no effect",
        f"{rates.told(evidence.job.size)} from the first step on: {rates.optimizer.schedule} sets "
        "the rate in each step, whatever a callback has written",
        where=first_place(warm),
        fix="let the schedule begin lower by itself, or give the optimizer a number as its rate",
    )


def _highest(evidence: Evidence, optimizer: Optimizer, first: float) -> float:
    """The highest rate of a rate that only grows; where it also falls, that of the first step."""
    worker = everyone(evidence)[0]
    seen = [rate for (id, _), rate in sorted(table(worker).items()) if id == optimizer.id]
    return seen[-1] if seen == sorted(seen) and seen else first


def _later(rates: Rates, step: Size, wanted: float, size: int, near: float) -> Verdict | None:
    """A rate that begins right and is changed to one that isn't."""
    for made, many, one in rates.later:
        if not isclose(many, wanted * one, rel_tol=near):
            name = rates.optimizer.cls or "the optimizer"
            seen = set_at(rates.runs[0], rates.optimizer.id, made) if rates.runs else None
            by = f", as {seen.by} sets it" if seen and seen.by else ""
            return convicted(
                "D104",
                "the learning rate is not scaled where it is changed",
                f"{name}: {rates.many:.6g} on {size} workers at first, {rates.one:.6g} on one, "
                f"which is right; from step {made} on {many:.6g} where one has {one:.6g}{by}",
                where=(seen.where if seen else None) or rates.optimizer.place,
                fix="scale each rate that is set, also what a schedule or a callback sets later",
            )
    return None


def _warm_up(evidence: Evidence, rates: Rates, wanted: float, examples: float) -> Verdict | None:
    """A rate that begins low, grows to what it is to be, and then keeps to the course of one."""
    runs = _both(evidence)
    found = warmed_up(rates.optimizer, *runs, wanted, examples) if runs else None
    if found is None:
        return None
    step, top = found
    text = f"{rates.told(evidence.job.size)}; it grows to {top:.6g} by step {step}"
    return _off(evidence, rates, wanted, examples) or fine(ASKS, text)


def _both(evidence: Evidence) -> tuple[Worker, Worker] | None:
    """A worker of the job, and the one process."""
    one = evidence.reference.worker if evidence.reference else None
    job = next((w for w in everyone(evidence) if w.all(Optimizer)), None)
    return None if one is None or job is None else (job, one)


def _off(evidence: Evidence, rates: Rates, wanted: float, examples: float) -> Verdict | None:
    """A schedule that runs at another pace than the examples are taken."""
    runs = _both(evidence) if _whole.alone(evidence) is not None else None
    found = off_course(rates.optimizer, *runs, wanted, examples) if runs else None
    if found is None:
        return None
    pace = "slowly" if abs(found.rate) > abs(found.wanted) else "fast"
    return convicted(
        "D106",
        "the schedule of the learning rate counts other steps",
        f"{rates.told(evidence.job.size)} at first; step {found.step} of {found.steps} is made "
        f"with {found.rate:.4g}, where it is to be {found.wanted:.4g} by the course of one "
        f"process: it falls too {pace}",
        where=rates.optimizer.place,
        fix="let it count a worker's steps: divide `decay_steps` and `boundaries` by hvd.size(), "
        "once; what follows from the length of a share is divided already",
    )


def _line(step: Size, many: float, one: float, examples: float, size: int) -> str:
    """How long a step is; only where it was measured."""
    if not step.measured or not one or step.gradients is None:
        return ""
    length = many / one * step.gradients
    return f"; {_size_line(size, length, examples)}"


def _size_line(size: int, length: float, examples: float) -> str:
    return (
        f"a step of {size} workers is {length:.3g} times one of a single process, "
        f"for {examples:.3g} times the examples"
    )


def _without_scaling(
    rates: Rates, step: Size, wanted: float, examples: float, size: int
) -> Verdict:
    many, one = rates.many or 0.0, rates.one or 0.0
    title, fix = _why(rates, step, examples, size)
    is_rate = title.startswith("the learning rate")
    so = f", so the rate is to be {wanted:.4g} times ({wanted * one:.6g})" if is_rate else ""
    ratio = f", {many / one:.4g} times" if one else ""
    length = many / one * (step.gradients or 1) if one else 0.0
    line = (
        _size_line(size, length, examples)
        if feels(rates.optimizer)
        else (f"{size} workers take one step for {examples:.3g} times as many examples")
    )
    by = rates.setter(wanted) if is_rate else None
    return convicted(
        "D104",
        title,
        f"{rates.told(size)}{ratio}; {line}{so}{f'; {by.told}' if by else ''}",
        where=by.place if by else rates.optimizer.place,
        fix=by.fix if by else fix,
    )


def _why(rates: Rates, step: Size, examples: float, size: int) -> tuple[str, str]:
    """What makes the step too long or too short, and what mends it."""
    many, one = rates.many, rates.one or 0.0
    factor, scaled = step.gradients or 1.0, isclose(many or 0.0, size * one, rel_tol=1e-4)
    if feels(rates.optimizer) and isclose(factor * size, 1.0, rel_tol=0.01):
        return DIVIDED
    if feels(rates.optimizer) and scaled and isclose(factor, size, rel_tol=0.01):
        return ADDED_UP
    if scaled and abs(examples - 1) <= 0.05:
        return SMALLER
    how = "not scaled" if many == one else "scaled wrongly"
    return f"the learning rate is {how}", SCALE


# -- who sets a rate that is wrong ---------------------------------------------------------------

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
