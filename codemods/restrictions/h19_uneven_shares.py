"""Shares that may not be equally long: one worker makes a step more, and waits for ever.

horovod/horovod#832, #2629; of the shares that distify cuts D107 sees to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.workers.shares_by_rank import overlapping_shares, uneven_shares
from ..model import Finding
from . import hazard
from ._finding import warning

REST = (
    "unless the workers divide the number of examples, some of them get one more here: where that "
    "is a step more, they wait for the others"
)
LOST = "the number of shares is not that of the workers: what is left over trains nobody"
EVEN = (
    "leave out what doesn't go round: `n // hvd.size() * hvd.size()` examples, or count the steps"
)
ALL = "write `.shard(hvd.size(), hvd.rank())`"
OVERLAP = (
    "each worker puts the examples in an order of its own before it takes its share: the shares "
    "overlap, and some examples nobody sees"
)
BEFORE = "put `.shard(hvd.size(), hvd.rank())` before it, or give it a seed: `seed=0`"
WORDS = {"rest": (REST, EVEN), "lost": (LOST, ALL)}


@hazard(code="H19", name="uneven-shares")
def uneven(facts: Facts) -> Iterator[Finding]:
    """Warnings: it depends on the data and on the number of workers."""
    for place, kind in uneven_shares(facts):
        yield warning(facts, place, "H19", *WORDS[kind])


@hazard(code="H19", name="overlapping-shares")
def overlapping(facts: Facts) -> Iterator[Finding]:
    """Warnings: nothing hangs, and an epoch is no epoch any more."""
    for place in dict.fromkeys(overlapping_shares(facts)):
        yield warning(facts, place, "H19", OVERLAP, BEFORE)
