"""One process that came to its end, beside a job that did: what all of each can be compared by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record.endings import Blind, End, Limited
from ..record.events import Examples
from ._epochs import common_via
from ._seen import everyone, fatal, missing

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker


def alone(evidence: Evidence) -> Worker | None:
    """The run on one process, if that and the job came to their ends by themselves."""
    found = evidence.reference.worker if evidence.reference else None
    if found is None or evidence.ending != "done" or missing(evidence):
        return None
    runs = [found, *everyone(evidence)]
    whole = all(run.all(End) and not run.all(Limited) and not fatal(run) for run in runs)
    return found if whole else None


@dataclass(frozen=True)
class Amounts:
    """Examples of all steps and of a full one, and steps, of one process and of each worker."""

    one: int
    workers: tuple[int, ...]
    steps: tuple[int, ...]
    steps_of_one: int
    batch: int
    batch_of_one: int


def amounts(evidence: Evidence) -> Amounts | None:
    """How much of the data each run took; None where not all of it was seen."""
    single = alone(evidence)
    runs = [] if single is None else [single, *everyone(evidence)]
    via = common_via(runs) if runs else None
    if via is None or any(each.what == "examples" for run in runs for each in run.all(Blind)):
        return None
    (one, made, batch), *others = (_of(run, via) for run in runs)
    if not one or not all(taken for taken, _, _ in others):
        return None
    return Amounts(
        one,
        tuple(taken for taken, _, _ in others),
        tuple(steps for _, steps, _ in others),
        made,
        max(batch for _, _, batch in others),
        batch,
    )


def _of(run: Worker, via: str) -> tuple[int, int, int]:
    """Examples, steps that took any, and the examples of the fullest."""
    taken: Sequence[Examples] = [each for each in run.all(Examples) if each.via == via]
    sizes = [len(each.rows) for each in taken]
    return sum(sizes), len({each.steps for each in taken}), max(sizes, default=0)
