"""Numbers of elements that shrink with the data: arguments of `take`, lengths of what is cut."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library.datasets import COUNTING
from ..facts import Facts, recorded
from .array_loops import Loop, loops
from .handed_batches import handed_batches
from .pipeline_shares import Shares, shares_of
from .pipelines import Way, is_endless
from .share_forms import is_shared_out
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
    return _is_of_shares(facts)(expr) or _is_of_cut_arrays(facts)(expr)


@recorded
def _is_of_shares(facts: Facts) -> Callable[[ast.AST], bool]:
    """Whether the length of a share is among what something is computed from."""
    data = shares_of(facts)
    lengths = (end for end in data.ends if end.use is Use.LENGTH)
    shares = frozenset(end.expr for end in lengths if any(map(data.cuts_in, end.ways)))
    return facts.program.sought(shares.__contains__)


@recorded
def _is_of_cut_arrays(facts: Facts) -> Callable[[ast.AST], bool]:
    """The same of arrays that a loop takes slices of: whatever stands behind their cut is shorter.

    Only lengths are asked of them there, so that a number that they are in is one.
    """
    cut = frozenset(
        name
        for loop in loops(facts)
        for array in loop.arrays
        for name in facts.index.loads.get(array, ())
        if _is_behind(facts, name, loop)
    )
    return facts.program.sought(cut.__contains__) if cut else lambda node: False


def _is_behind(facts: Facts, name: ast.AST, loop: Loop) -> bool:
    is_here = facts.function(name) is facts.function(loop.before)
    first = loop.before.end_lineno + 1 if loop.is_behind else loop.before.lineno  # type: ignore[operator]
    return is_here and name.lineno >= first  # type: ignore[attr-defined]
