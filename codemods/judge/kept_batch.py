"""**size** where all workers together take the batch that one process takes: `batch = "global"`.

Units: the rate and the number of steps stay (N to the power of 0), and each step takes an Nth of a
batch of its worker's share (-1), or the same rows on every worker. Then the average of the
gradients is that of the batch if the loss is a mean over rows, which is asked of the result anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..program.node_fields import within
from .case import Case, proved
from .known import proof_at
from .proof import NOT_PROVED, VIOLATED, Proof
from .rows import ALIKE, Rows
from .training_steps import Step, steps

if TYPE_CHECKING:
    from .size import Sizes

NAME = "size"
HOW = "all workers together take each batch of one process, at its rate, in as many steps"
MEANS = "labels and predictions of a loss have the same axes, so that no row meets another one"
RATE = "the batch is the one of a single process here, and the learning rate grows with the workers"
WHOLE = (
    "every worker takes a whole batch of its own here, at the learning rate of one process: a step "
    "covers N times the examples, and an epoch has an Nth of the steps"
)
UNKNOWN = "nobody can tell how many rows each worker takes in a step here"
FEWER = "the workers share out these steps here, and each of them takes an Nth of a batch besides"
KEEP = "leave the rate as it is"
DIVIDE = "divide the size of its batches by `hvd.size()`, behind the cut by `hvd.rank()`"
ALL_STEPS = "leave the number of steps as it is"


def prove(case: Case, sizes: Sizes) -> Iterator[Proof]:
    """Not proved where a rate grows, steps shrink, or nobody knows that a batch is shared."""
    failures = [*_rates(case, sizes), *_steps(case, sizes), *_losses(case, sizes)]
    yield from failures
    if not failures:
        yield proved(NAME, HOW, MEANS)._replace(rungs=sizes.rungs)


def _rates(case: Case, sizes: Sizes) -> Iterator[Proof]:
    from .size import rates

    for rate in rates(case.facts):
        if max(sizes.powers(rate), default=0.0) > 0:
            yield proof_at(case, NAME, VIOLATED, rate, RATE, KEEP)


def _steps(case: Case, sizes: Sizes) -> Iterator[Proof]:
    """The steps whose worker takes more, or fewer, rows than its part of the batch."""
    for step in steps(case.facts):
        rows = sizes.found(step)
        if any(power < 0 for power in _counts(sizes, step)):
            yield proof_at(case, NAME, VIOLATED, step.call, FEWER, ALL_STEPS)
        elif rows == Rows.SHARE:
            yield from _of_share(case, sizes, step)
        elif rows & ~ALIKE or _powers(sizes, step) - {0.0}:
            yield proof_at(case, NAME, NOT_PROVED, step.call, UNKNOWN, DIVIDE)


def _powers(sizes: Sizes, step: Step) -> set[float]:
    """The exponents of N of what says how many rows a step takes."""
    found = {power for size in sizes.taken(step) for power in sizes.powers(size)}
    return {power for power in found if power <= 0}  # groups of N are taken apart again


def _of_share(case: Case, sizes: Sizes, step: Step) -> Iterator[Proof]:
    """A step on rows of a share: all of them, or an Nth of a batch."""
    powers = _powers(sizes, step)
    if powers != {-1.0} and not sizes.takes_all(step):
        verdict = VIOLATED if powers == {0.0} else NOT_PROVED
        yield proof_at(case, NAME, verdict, step.call, WHOLE, DIVIDE)


def _counts(sizes: Sizes, step: Step) -> Iterator[float]:
    """The exponent of each number of steps: of `range(n)`, `step < n`; else a loop runs over data.

    `range(0, n, rows)` has as many rounds as n has rows.
    """
    for count in sizes.counts(step):
        calls = [node for node in within(count) if isinstance(node, ast.Call)]
        ranges = [call for call in calls if getattr(call.func, "id", "") in ("range", "trange")]
        for call in ranges:
            by = max((p for rows in call.args[2:] for p in sizes.powers(rows)), default=0.0)
            yield from (p - by for end in call.args[:2] for p in sizes.powers(end))
        numbers = [count.left, *count.comparators] if isinstance(count, ast.Compare) else [count]
        if not ranges and not sizes.is_data(count):
            yield from (p for number in numbers for p in sizes.powers(number))


def _losses(case: Case, sizes: Sizes) -> Iterator[Proof]:
    shares = any(sizes.found(step) & ~ALIKE for step in steps(case.facts))
    for problem in dict.fromkeys(sizes.unlike if shares else ()):
        yield proof_at(case, NAME, NOT_PROVED, problem.node, problem.why, problem.fix)
