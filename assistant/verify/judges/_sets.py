"""Process sets: workers that train together, beside others that train something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..record.events import Collective, Reduce
from ._seen import everyone

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

Ranks = tuple[int, ...]


def parts(evidence: Evidence) -> list[Evidence]:
    """The evidence of each set by itself; only one where all train together."""
    found = sets(evidence)
    return [_of(evidence, ranks) for ranks in found] if len(found) > 1 else [evidence]


def sets(evidence: Evidence) -> Sequence[Ranks]:
    """The sets that gradients are reduced in, if every worker has one, and only one."""
    by_rank = {worker.rank: _members(worker) for worker in everyone(evidence)}
    found = sorted({ranks for each in by_rank.values() for ranks in each})
    apart = sorted(rank for ranks in found for rank in ranks) == sorted(by_rank)
    return found if apart and all(len(each) == 1 for each in by_rank.values()) else []


def _members(worker: Worker) -> set[Ranks]:
    wrapped = [each.members for each in worker.all(Reduce)]
    kinds = ("allreduce", "grouped_allreduce")
    by_hand = [c.members for c in worker.all(Collective) if c.kind in kinds and c.op]
    return {ranks for ranks in wrapped or by_hand if ranks is not None}


def _of(evidence: Evidence, ranks: Ranks) -> Evidence:
    workers = {rank: evidence.workers[rank] for rank in ranks if rank in evidence.workers}
    job = replace(evidence.job, workers=len(ranks))
    return replace(evidence, job=job, workers=workers, only=ranks)
