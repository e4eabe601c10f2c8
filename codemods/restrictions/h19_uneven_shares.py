"""Shares that may not be equally long: one worker makes a step more, and waits for ever.

horovod/horovod#832, #2629; of the shares that distify cuts D107 sees to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.by_rank import depends_on_rank, depends_on_size
from ..facts.data.orders import DIFFERENTLY
from ..facts.data.pipeline_shares import shares_of
from ..facts.data.pipelines import Stage, Way, is_endless
from ..facts.data.uses import Use
from ..judge.lengths import Count
from ..judge.steps import cuts, uneven, without_any
from ..model import Finding
from . import hazard
from ._finding import warning

REST = (
    "unless the workers divide the number of examples, some of them get one more here: where that "
    "is a step more, they wait for the others"
)
NONE = "where there are more workers than {0}, this is 0, and none of them takes a step"
LEAST = "let one be the least, `max(1, {0} // hvd.size())`"
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


@hazard(code="H19", name="uneven-shares")
def uneven_shares(facts: Facts) -> Iterator[Finding]:
    """Warnings: whether it is a step more depends on the number of workers."""
    certain = (each for each in uneven(facts) if each.length is Count.REST)
    for place in dict.fromkeys(cut for each in certain for cut in cuts(facts, each)):
        yield warning(facts, place, "H19", REST, EVEN)


@hazard(code="H19", name="no-steps")
def none(facts: Facts) -> Iterator[Finding]:
    """Warnings: it trains on nothing, and some loops say no word of it."""
    for place, most in dict.fromkeys(without_any(facts)):
        yield warning(facts, place, "H19", NONE.format(most), LEAST.format(most))


@hazard(code="H19", name="lost-shares")
def lost(facts: Facts) -> Iterator[Finding]:
    """Warnings: `shard(4, hvd.rank())`, whatever is in the other shares."""
    found = (cut.call for _, cut in _cuts(facts) if not depends_on_size(facts, cut.call))
    for call in dict.fromkeys(found):
        yield warning(facts, call, "H19", LOST, ALL)


@hazard(code="H19", name="overlapping-shares")
def overlapping(facts: Facts) -> Iterator[Finding]:
    """Warnings: nothing hangs, and an epoch is no epoch any more. Of endless data all draw anew."""
    orders, found = shares_of(facts).orders, []
    for before, _ in _cuts(facts):
        if before and not is_endless(before):
            why = orders.why_differs(before, as_written=True) or ""
            found.append(orders.where_differs(before) if why.endswith(DIFFERENTLY) else None)
    for place in dict.fromkeys(each for each in found if each is not None):
        yield warning(facts, place, "H19", OVERLAP, BEFORE)


def _cuts(facts: Facts) -> Iterator[tuple[Way, Stage]]:
    """Where a worker's number cuts training data first, and what stands before."""
    ends = (end for end in shares_of(facts).ends if end.use is Use.TRAINING)
    for way in (way for end in ends for way in end.ways):
        for number, stage in enumerate(way):
            if stage.method == "shard" and isinstance(stage.expr, ast.Call):
                index = facts.argument(stage.call, "index", 1)
                if index is not None and depends_on_rank(facts, index):
                    yield way[:number], stage
                    break
