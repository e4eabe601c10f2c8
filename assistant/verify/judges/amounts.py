"""Do all workers together take as many examples as one process does? (D106)

N workers that share the data take an Nth of it each, and that once: where they are given their
share of it and an Nth of the epochs, too, most of the training is missing, and nobody sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose
from typing import TYPE_CHECKING

from ..record.endings import End, Limited
from ..record.verdict import Verdict, convicted, fine, note
from . import judge
from ._epochs import made
from ._seen import everyone, first_place, fits_of, steps
from ._whole import Amounts, alone, amounts
from ._words import count
from .shards import overlaps

if TYPE_CHECKING:
    from ..record.evidence import Evidence

ASKS = "whether all workers together take as many examples as one process"
NEAR = 0.15  # what doesn't go round is dropped
ONCE = (
    "divide once: where every worker takes its share of the data, leave the number of epochs as it "
    "was; divide steps only that are counted without regard to the share"
)


@judge(order=58, asks=ASKS, sees=("examples",))
def taken(evidence: Evidence) -> Iterator[Verdict]:
    """Silent where one process did not come to its end, or with --baseline, which tells more."""
    found = amounts(evidence) if evidence.job.baseline is None else None
    if found is None:
        return
    share, text = _share(evidence, found), _figures(evidence, found)
    if is_divided_twice(evidence) and _ends_alike(evidence):
        where = first_place(fits_of(evidence))
        title = "the training is divided by the workers twice"
        yield convicted("D106", title, text, where=where, fix=ONCE)
    elif isclose(share, 1, rel_tol=2 * NEAR):
        yield fine(ASKS, text)
    elif isclose(share, evidence.job.size, rel_tol=NEAR) and _take_the_same(evidence):
        return
    else:
        more = "more" if share > 1 else "fewer"
        title = f"all workers together take {more} examples than one process"
        yield note(title, f"{text}; no fault where the program ends by what it learns")


def is_divided_twice(evidence: Evidence) -> bool:
    """Whether all workers take an Nth of the examples, in an Nth of the steps that would do."""
    found = amounts(evidence)
    if found is None or not isclose(_share(evidence, found), 1 / evidence.job.size, rel_tol=NEAR):
        return False
    return _is_even(evidence, found)


def _ends_alike(evidence: Evidence) -> bool:
    """Whether one process makes as many steps at other rates: its end is none that is learned."""
    slower = evidence.slower.worker if evidence.slower else None
    one = alone(evidence)
    if one is None or slower is None or not slower.all(End) or slower.all(Limited):
        return False
    return steps(slower) == steps(one)


def _share(evidence: Evidence, found: Amounts) -> float:
    return _many(evidence, found) / found.one


def _many(evidence: Evidence, found: Amounts) -> float:
    """The examples of all workers, also of those that others stand in for."""
    return sum(found.workers) * evidence.job.size / len(found.workers)


def _figures(evidence: Evidence, found: Amounts) -> str:
    taken = f"{count(round(_many(evidence, found)), 'example')} on {evidence.job.size} workers"
    steps = f"{count(max(found.steps), 'step')} each, and {found.steps_of_one:,}"
    return f"{taken}, {found.one:,} in one process ({steps})"


def _is_even(evidence: Evidence, found: Amounts) -> bool:
    """Whether steps or epochs are just an Nth of what a share asks for."""
    size = evidence.job.size
    fewer = found.steps_of_one // size
    if found.batch * size == found.batch_of_one and set(found.steps) == {fewer}:
        return True
    if set(found.steps) == {fewer // size}:
        return True
    one = alone(evidence)
    epochs = {made(worker, number) for worker, number in zip(everyone(evidence), found.steps)}
    wanted = made(one, found.steps_of_one) if one is not None else 0
    return wanted > 1 and epochs == {wanted // size}


def _take_the_same(evidence: Evidence) -> bool:
    """Whether workers train on the same examples: told by the judge of the shares."""
    return any(each.share > 0.5 for each in overlaps(evidence))
