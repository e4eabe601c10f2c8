"""The same job once more, without the weights that distify moves apart at its start.

Workers that stay apart may do so because distify moved them: a program whose workers all begin with
the same values (a seed, a file, constants) needs nobody to bring them together. So before a start
is blamed, or something unknown, the job is run again as the program itself would begin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Callable

from ..judges._compared_states import compare
from ..judges._drift_causes import START, UNKNOWN, WRITTEN, cause_of
from ..judges._local_sgd import rounds
from ..judges._sets import parts
from ..judges._uneven_ends import uneven

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from .job import Job


def without_moving(evidence: Evidence, again: Callable[[Job], Evidence]) -> Evidence:
    """The evidence that is to be judged; `again` runs a job in a copy of the folder.

    It is that of the second run, with the first one in `moved`, if only the first drifted apart.
    """
    if not _may_be_our_own(evidence):
        return evidence
    second = again(replace(evidence.job, seed_per_rank=False))
    found = [compare(part) for part in parts(second)]
    if second.ending != "done" or not all(each.points for each in found):
        return evidence
    if any(each.apart for each in found):
        return replace(evidence, repeated=True)
    if any(_left_out(part) for part in parts(second)):
        return replace(second, repeated=True)
    return replace(second, moved=evidence)


def _left_out(part: Evidence) -> bool:
    """Whether workers ended apart after other numbers of steps, which no state tells."""
    found = uneven(part)
    return found is not None and bool(found.differing)


def _may_be_our_own(evidence: Evidence) -> bool:
    """Whether workers stay apart that distify moved apart, and no other reason was seen."""
    if not evidence.job.seed_per_rank or evidence.ending != "done" or evidence.job.hosts:
        return False
    return any(map(_is_unexplained, parts(evidence)))


def _is_unexplained(part: Evidence) -> bool:
    found = compare(part)
    if found.first_apart is None or rounds(part, found):
        return False
    return cause_of(part, found, found.first_apart).title in (START, UNKNOWN, WRITTEN)
