"""Workers that stand in for ranks of a larger job, under the ranks that they were told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ..record.evidence import Evidence, Hang, Stall

T = TypeVar("T")


def under_their_ranks(evidence: Evidence) -> Evidence:
    """The same, where worker 3 of four is called worker 63, as it was told (`--as 64`)."""
    ranks = evidence.job.ranks
    if not ranks or evidence.only:
        return evidence
    workers = {ranks[n]: replace(worker, rank=ranks[n]) for n, worker in evidence.workers.items()}
    return replace(
        evidence,
        workers=workers,
        exit_codes=_by_rank(evidence.exit_codes, ranks),
        tails=_by_rank(evidence.tails, ranks),
        first=None if evidence.first is None else ranks[evidence.first],
        hang=_hang(evidence.hang, ranks) if evidence.hang else None,
        stalls=tuple(_stall(each, ranks) for each in evidence.stalls),
        moved=under_their_ranks(evidence.moved) if evidence.moved else None,
        only=ranks,
    )


def _by_rank(found: Mapping[int, T], ranks: tuple[int, ...]) -> dict[int, T]:
    """What is no worker's (-1: the launcher's) stays as it is."""
    return {ranks[n] if 0 <= n < len(ranks) else n: value for n, value in found.items()}


def _hang(hang: Hang, ranks: tuple[int, ...]) -> Hang:
    workers = tuple(replace(each, rank=ranks[each.rank]) for each in hang.workers)
    return replace(hang, workers=workers, stalls=tuple(_stall(each, ranks) for each in hang.stalls))


def _stall(stall: Stall, ranks: tuple[int, ...]) -> Stall:
    ready, missing = (tuple(ranks[n] for n in each) for each in (stall.ready, stall.missing))
    return replace(stall, ready=ready, missing=missing)
