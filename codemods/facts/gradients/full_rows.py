"""The arrays of which every step of a tape takes all rows, if an Nth of them is a share.

That is where the loss is a mean over them, each term of one row: the average of the gradients of
equal shares is the gradient of all, so the rate and the number of steps stay.
"""

from __future__ import annotations

import ast

from ...program.records import NamedTuple
from ..data.batch_needs import order_matters, size_is_fixed
from ..data.shares import shares_data
from ..facts import Facts, recorded
from .kept_losses import unlike
from .met_again import met_again
from .whole_reads import whole_reads


class FullRows(NamedTuple):
    """The reads that are cut; `behind`: the statement that makes the last of them."""

    reads: tuple[ast.expr, ...]
    behind: ast.stmt


@recorded
def full_rows(facts: Facts) -> FullRows | None:
    """What each worker takes its rows of; None where there is nothing to share out."""
    reads = whole_reads(facts) if shares_data(facts) and not facts.has_horovod else ()
    if not reads or order_matters(facts) or size_is_fixed(facts):
        return None
    if any(True for _ in unlike(facts)) or any(True for _ in met_again(facts, reads)):
        return None
    first = _made(facts, reads[:1])
    if len({id(facts.block(each)[0]) for each in first}) != 1:
        return None
    everything = _made(facts, reads)
    is_one = len({id(facts.block(each)[0]) for each in everything}) == 1
    return FullRows(reads, (everything if is_one else first)[-1])


def _made(facts: Facts, reads: tuple[ast.expr, ...]) -> list[ast.stmt]:
    """The statements that make arrays, the last one last."""
    bindings = (each for read in reads for each in facts.names.bindings(read))
    return sorted({facts.statement(each.node) for each in bindings}, key=facts.place)
