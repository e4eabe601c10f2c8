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
    more than once, with steps of their own between; what optimizers remember may stay their own.
    """
    if reduces(evidence) or not averages_by_hand(evidence):
        return 0
    flags = [any("/slot/" not in key for key in point.differing) for point in found.points]
    again = [
        sum(point.steps)
        for before, now, point in zip(flags, flags[1:], found.points[1:])
        if before and not now
    ]
    apart = [sum(point.steps) for point, flag in zip(found.points, flags) if flag]
    apart_later = bool(again) and any(made > again[0] for made in apart)
    return reduce(gcd, again) if apart_later else 0
