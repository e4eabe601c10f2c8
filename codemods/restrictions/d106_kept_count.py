"""A loop over endless data that ends by a count of its own, which no rule divides."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.steps import keeps_count, kept_counts
from ..model import Finding
from . import restriction
from ._finding import note

FIX = "divide the number of steps by hvd.size(), and with it the steps of schedules"


@restriction(code="D106", name="kept-count")
def kept_count(facts: Facts) -> Iterator[Finding]:
    """Notes: schedules keep their steps there too, so that they end with the loop."""
    if keeps_count(facts):
        for end in kept_counts(facts):
            message = "every worker takes all the steps of this loop: what ends it is not divided"
            yield note(facts, end.expr, "D106", message, FIX)
