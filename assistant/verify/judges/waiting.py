"""How long do workers wait for others, and for whom? Only where `--timeline` was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record import arrivals
from ..record.verdict import Verdict, note, unchecked
from . import judge
from ._words import count, listed, percent

if TYPE_CHECKING:
    from ..record.evidence import Evidence

ASKS = "how long workers wait for each other"


@judge(order=91, asks=ASKS)
def waiting(evidence: Evidence) -> Iterator[Verdict]:
    """Tells what each waited, and who came last; compiled steps included."""
    if evidence.job.timeline is None:
        return
    found = arrivals.read(evidence.folder)
    total, ranks = arrivals.seconds(found), evidence.job.ranks
    told = {ranks[r] if ranks else r: each for r, each in arrivals.waits(found).items()}
    if not told or not total:
        yield unchecked(ASKS, "Horovod has written no collective after the first of each name")
        return
    number = sum(not each.first for each in found)
    waited = listed(f"worker {r} {percent(each.waited / total)}" for r, each in told.items())
    last = listed(f"worker {r} in {each.last:,}" for r, each in told.items() if each.last)
    kept = [(each.kept, r) for r, each in told.items()]
    most, rank = max(kept)
    text = (
        f"of {total:.1f} s and {count(number, 'collective')}: waiting, {waited}; the last to come, "
        f"{last}; worker {rank} alone kept all others waiting for {percent(most / total)}"
    )
    yield note("how long workers wait", text)
