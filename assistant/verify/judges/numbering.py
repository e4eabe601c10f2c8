"""Are words, classes and columns numbered alike on all workers? (H01)

What is numbered in the order of a set has other numbers in each Python: the same example is
another one to the model of another worker. Where a worker's examples are none of one process, and
worker 0's are, one process is run once more with the hash seed of that worker: if it has them then,
it is the order of a set, and no other data, no chance and no rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.events import Examples
from ..record.verdict import Verdict, convicted
from . import _source_lines as program
from . import judge
from ._epochs import common_via
from ._seen import everyone, first_place, fits_of
from ._whole import alone
from ._words import count, workers
from .pairs import SORTED, matched

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

ASKS = "whether examples are numbered alike on all workers"
TITLE = "the examples are numbered otherwise"
ENOUGH = 20  # different examples of a worker
ALL = 0.95  # of them are known to one process, or to the one with another order of sets
SOME = 0.1  # of them are not


@judge(order=59, asks=ASKS, sees=("examples",))
def numbering(evidence: Evidence) -> Iterator[Verdict]:
    """Silent where nothing was suspected."""
    other = evidence.hashed.worker if evidence.hashed else None
    rank = suspect(evidence) if other is not None else None
    if other is None or rank is None:
        return
    mine, via = _rows(evidence.workers[rank], _via(evidence)), _via(evidence)
    if len(mine & _rows(other, via)) < ALL * len(mine):
        return
    unknown = len(mine - _rows_of_one(evidence, via))
    who = workers([rank])
    yield convicted(
        "H01",
        TITLE,
        f"{unknown:,} of {count(len(mine), 'example')} of {who} are none that one process has, and "
        f"all are with the PYTHONHASHSEED of {who}: something is numbered in the order of a set, "
        "which is another one in each Python",
        ranks=(rank,),
        where=_place(evidence),
        fix=SORTED,
    )


def suspect(evidence: Evidence) -> int | None:
    """A worker whose examples one process doesn't have, though it has those of worker 0."""
    via = _via(evidence)
    if via is None or 0 not in evidence.workers or matched(evidence):
        return None
    known = _rows_of_one(evidence, via)
    shares = {each.rank: _share(each, via, known) for each in everyone(evidence)}
    least = min(shares, key=shares.__getitem__)
    return least if shares[0] >= ALL and shares[least] <= 1 - SOME else None


def _share(worker: Worker, via: str, known: set[str]) -> float:
    """How much of its examples is known; of a few nothing is said."""
    rows = _rows(worker, via)
    return len(rows & known) / len(rows) if len(rows) >= ENOUGH else 1.0


def _via(evidence: Evidence) -> str | None:
    one = alone(evidence)
    return None if one is None else common_via([one, *everyone(evidence)])


def _rows_of_one(evidence: Evidence, via: str | None) -> set[str]:
    one = alone(evidence)
    return set() if one is None else _rows(one, via)


def _rows(run: Worker, via: str | None) -> set[str]:
    own = (each for each in run.all(Examples) if each.via == via and not each.given)
    return {row for each in own for row in each.rows}


def _place(evidence: Evidence) -> str | None:
    """The only line that numbers a set, else that of the `fit`."""
    file = evidence.job.script.resolve().name
    lines = program.numbered_sets(evidence.job.root, file)
    return f"{file}:{lines[0]}" if len(lines) == 1 else first_place(fits_of(evidence))
