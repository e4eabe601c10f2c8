"""Local SGD: workers that train for themselves, and average their weights every few steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

from ._compared_states import Comparison
from ._seen import averages_by_hand, reduces

if TYPE_CHECKING:
    from ..record.evidence import Evidence


@dataclass(frozen=True)
class Rounds:
    """Every so many steps these weights are averaged; the others never are."""

    period: int
    averaged: Sequence[str]
    others: Sequence[str]


def averaged_in_rounds(evidence: Evidence, found: Comparison) -> Rounds | None:
    """Whether weights are averaged, and not gradients; None where they are not.

    No gradient is averaged by Horovod's own means, and workers that differ become equal again,
    more than once, with steps of their own between; what optimizers remember may stay their own.
    """
    if reduces(evidence) or not averages_by_hand(evidence):
        return None
    keys = dict.fromkeys(key for point in found.apart for key in point.differing)
    weights = [key for key in keys if "/slot/" not in key]
    averaged = [key for key in weights if _period(found, {key})]
    if not averaged:
        return None
    others = [key for key in weights if key not in averaged]
    return Rounds(_period(found, set(averaged)), averaged, others)


def rounds(evidence: Evidence, found: Comparison) -> int:
    """Every how many steps all weights are averaged; 0 where they are not."""
    seen = averaged_in_rounds(evidence, found)
    return seen.period if seen and not seen.others else 0


def _period(found: Comparison, keys: Collection[str]) -> int:
    """Every how many steps all of these are equal again; 0 where they never are."""
    flags = [any(key in keys for key in point.differing) for point in found.points]
    again = [
        sum(point.steps)
        for before, now, point in zip(flags, flags[1:], found.points[1:])
        if before and not now
    ]
    apart = [sum(point.steps) for point, flag in zip(found.points, flags) if flag]
    apart_later = bool(again) and any(made > again[0] for made in apart)
    return reduce(gcd, again) if apart_later else 0
