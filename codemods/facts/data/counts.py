"""Numbers of elements that shrink with the data: arguments of `take`, lengths of what is cut."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library.datasets import COUNTING
from ..facts import Facts, recorded
from .hand_shares import is_shared_out
from .handed_batches import handed_batches
from .shares import Shares, shares_of
from .stages import Way, is_endless
from .uses import Use


def counts(facts: Facts) -> Iterator[ast.expr]:
    """Arguments of `take` and `skip` behind a cut, or of `take` from a dataset without end."""
    data = shares_of(facts)
    for end in data.ends:
        if end.use in (Use.TRAINING, Use.VALIDATION):
            for way in end.ways:
                yield from _counts_of(facts, data, way)


def _counts_of(facts: Facts, data: Shares, way: Way) -> Iterator[ast.expr]:
    starts = [
        number
        for number, stage in enumerate(way)
        if data.cuts_in((stage,)) or is_shared_out(facts, stage)
    ]
    for number, stage in enumerate(way):
        if stage.method not in COUNTING or not (starts or is_endless(way[:number])):
            continue
        if starts and number <= starts[0]:  # the cut stands behind its stage
            continue
        count = facts.argument(stage.call, "count", 0)
        if count is not None and not shrinks(facts, count):
            yield count


def shrinks(facts: Facts, expr: ast.AST) -> bool:
    """Whether a number is computed from how long data is that was cut."""
    if handed_batches(facts).is_share(expr):
        return True
    return _is_of_shares(facts)(expr)


@recorded
def _is_of_shares(facts: Facts) -> Callable[[ast.AST], bool]:
    """Whether the length of a share is among what something is computed from."""
    data = shares_of(facts)
    lengths = (end for end in data.ends if end.use is Use.LENGTH)
    shares = frozenset(end.expr for end in lengths if any(map(data.cuts_in, end.ways)))
    return facts.program.sought(shares.__contains__)
