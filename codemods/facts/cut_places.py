"""Between which stages of a pipeline a cut may stand, and which place of those comes first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from .pipelines import BATCHING, COUNTING, REGROUPING, SIFTING, Way


def room(way: Way) -> tuple[int, int]:
    """Between which stages cuts may stand: behind what regroups, before what mixes."""
    methods = [stage.method for stage in way]
    batches = [n for n, method in enumerate(methods) if method in BATCHING]
    ends = [n for n, method in enumerate(methods) if method in ("shuffle", "repeat")] + batches[-1:]
    upper = min(ends, default=len(way))
    regrouping = REGROUPING | SIFTING | BATCHING
    after = [
        n
        for n, method in enumerate(methods)
        if n and method in regrouping and n not in batches[-1:]
    ]
    return max(after, default=0), upper


def in_all(ways: Sequence[Way]) -> set[ast.expr]:
    """The datasets that every one of these ways comes through."""
    return set.intersection(*({stage.expr for stage in way} for way in ways))


def is_inside(before: Way, rest: Way) -> bool:
    """Whether the end of `before` is a place to cut single elements."""
    lower, upper = room((*before, *rest))
    return lower < len(before) <= upper


def preferred(way: Way, lower: int, upper: int) -> Iterator[int]:
    """First single elements; else whole batches, where a cut before them was not possible."""
    mixing = (n for n, stage in enumerate(way) if stage.method in ("shuffle", "repeat"))
    yield from _behind_counts(way, lower, upper)
    yield from _behind_counts(way, upper, min(mixing, default=len(way)))


def _behind_counts(way: Way, lower: int, upper: int) -> Iterator[int]:
    """Behind `take` and `skip`, whose counts then stay as they are; else before them."""
    counts = [n for n in range(lower, upper) if way[n].method in COUNTING]
    start = max(counts, default=lower)
    yield from range(start, upper)
    yield from range(lower, start)
