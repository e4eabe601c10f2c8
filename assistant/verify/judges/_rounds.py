"""Local SGD: workers that train for themselves, and average their weights every few steps."""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

from ._seen import averages_by_hand, reduces
from ._states import Comparison

if TYPE_CHECKING:
    from ..evidence import Evidence


def rounds(evidence: Evidence, found: Comparison) -> int:
    """Every how many steps the weights are averaged; 0 where they are not.

    No gradient is averaged by Horovod's own means, and workers that differ become equal again,
    more than once, with steps of their own between.
    """
    if reduces(evidence) or not averages_by_hand(evidence):
        return 0
    flags = [bool(point.differing) for point in found.points]
    again = [
        sum(point.steps)
        for before, now, point in zip(flags, flags[1:], found.points[1:])
        if before and not now
    ]
    apart_later = bool(again) and any(sum(p.steps) > again[0] for p in found.apart)
    return reduce(gcd, again) if apart_later else 0
