"""The course of a rate that a schedule sets by the step, beside that of one process.

A step of the job is as far as those steps of one process that take as many examples. A schedule
that still counts the steps of one process comes too late, and one that is divided twice too early.
Where all workers together take other numbers of examples, both runs may end together instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record.events import Optimizer, State
from ._rate_readings import table

if TYPE_CHECKING:
    from ..record.records import Worker

FAR = 0.15  # of the highest rate
MUCH = 0.2  # of the steps, on which it is so far off
SLACK = 0.02  # of all steps: epochs don't go round


@dataclass(frozen=True)
class OffCourse:
    """A step of the job with its rate, and what it would be made with by the course of one."""

    step: int
    steps: int
    rate: float
    wanted: float


def off_course(
    optimizer: Optimizer, job: Worker, one: Worker, wanted: float, examples: float
) -> OffCourse | None:
    """The first step that is far off, if many are; `examples` of a step, for one of a process.

    `one`: a run that came to its end.
    """
    mine, its = _rates(job, optimizer.id), _rates(one, optimizer.id)
    if optimizer.schedule is None or not examples or min(len(mine), len(its)) < 2:
        return None
    made, of_one = _steps(job, optimizer.id, mine), _steps(one, optimizer.id, its)
    by_examples = _far(mine, its, made, wanted, examples)
    together = _far(mine, its, made, wanted, of_one / made)
    return by_examples if together else None


def _steps(run: Worker, optimizer: int, rates: Mapping[int, float]) -> int:
    return max((s.steps[optimizer] for s in _states(run, optimizer)), default=max(rates))


def _far(
    mine: Mapping[int, float], its: Mapping[int, float], last: int, wanted: float, examples: float
) -> OffCourse | None:
    """The same at one pace."""
    top = wanted * max(its.values())
    far = [
        (weight, OffCourse(step, last, mine[step], _nearest(mine[step], low, high)))
        for step, weight in _weights(mine, last)
        for low, high in _around(its, step, examples, wanted)
        if not low - FAR * top <= mine[step] <= high + FAR * top and not _warms_up(mine, step, low)
    ]
    enough = sum(weight for weight, _ in far) >= MUCH * last
    return far[0][1] if far and enough else None


def warmed_up(
    optimizer: Optimizer, job: Worker, one: Worker, wanted: float, examples: float
) -> tuple[int, float] | None:
    """The step and the rate up to which a rate grows, if it is then what it is to be."""
    mine, its = _rates(job, optimizer.id), _rates(one, optimizer.id)
    if len(mine) < 2 or not its or not examples:
        return None
    top = max(mine, key=mine.__getitem__)
    grown = [rate for step, rate in mine.items() if step <= top]
    if len(grown) < 2 or grown != sorted(grown):
        return None
    for low, high in _around(its, top, examples, wanted):
        if (1 - FAR) * low <= mine[top] <= (1 + FAR) * high:
            return top, mine[top]
    return None


def _rates(run: Worker, optimizer: int) -> Mapping[int, float]:
    return {step: rate for (id, step), rate in sorted(table(run).items()) if id == optimizer}


def _states(run: Worker, optimizer: int) -> Iterator[State]:
    return (state for state in run.all(State) if len(state.steps) > optimizer)


def _weights(rates: Mapping[int, float], last: int) -> Iterator[tuple[int, float]]:
    """Each step that was looked at, with how many it stands for."""
    seen = [*rates]
    for before, step, after in zip([0, *seen], seen, [*seen[1:], 2 * last - seen[-1]]):
        yield step, (after - before) / 2


def _around(
    rates: Mapping[int, float], step: int, examples: float, wanted: float
) -> Iterator[tuple[float, float]]:
    """The lowest and highest rate to be expected of a step; nothing beyond the end of the one."""
    slack = max(examples, SLACK * max(rates))
    first, last = (step - 1) * examples - slack, step * examples + slack
    if max(rates) < step * examples - slack:
        return
    before = [each for each in rates if each <= first][-1:]
    after = [each for each in rates if each >= last][:1]
    near = [rates[each] for each in rates if first <= each <= last or each in (*before, *after)]
    yield wanted * min(near), wanted * max(near)


def _nearest(rate: float, low: float, high: float) -> float:
    return low if rate < low else high


def _warms_up(rates: Mapping[int, float], step: int, low: float) -> bool:
    """Whether a rate that is lower is still to grow."""
    return rates[step] < low and max(rates, key=rates.__getitem__) > step
