"""A loop over endless data that ends by a count of its own, which no rule divides."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.divided import keeps_count, kept_counts
from ..facts.data.pipeline_shares import shares_data, shares_of
from ..facts.data.session_steps import uncounted_rounds
from ..facts.training.pattern import runs_sessions
from ..model import Finding
from . import restriction
from ._finding import COST, note

MESSAGE = "every worker takes all the steps of this loop: what ends it is not divided"
FIX = "divide the number of steps by hvd.size(), and with it the steps of schedules"


@restriction(code="D106", name="kept-count")
def kept_count(facts: Facts) -> Iterator[Finding]:
    """Notes: schedules keep their steps there too, so that they end with the loop."""
    if keeps_count(facts):
        ends = [end.expr for end in kept_counts(facts)]
        if shares_data(facts) and runs_sessions(facts):
            ends += uncounted_rounds(facts, shares_of(facts))
        for end in dict.fromkeys(ends):
            yield note(facts, end, "D106", MESSAGE, FIX, kind=COST)
