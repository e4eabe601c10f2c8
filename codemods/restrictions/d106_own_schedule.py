"""A schedule of a class of the user's: its author knows which of its numbers count steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.divided import is_shorter, shrinks
from ..facts.optimizers.rate_carriers import is_users, outer
from ..facts.timing.job_steps import is_told, told_steps
from ..model import Finding
from . import restriction
from ._finding import LOOK, note

MESSAGE = "this schedule counts steps, of which an epoch has fewer now; its numbers are not divided"
FIX = "divide the numbers in it that count steps by hvd.size(), and leave fractions alone"


@restriction(code="D106", name="own-schedule")
def own_schedule(facts: Facts) -> Iterator[Finding]:
    """Notes, but for what is reckoned from the length of the data, which is shorter by itself."""
    for call in [] if told_steps(facts) else own_schedules(facts):
        yield note(facts, call, "D106", MESSAGE, FIX, kind=LOOK)


def own_schedules(facts: Facts) -> Iterator[ast.Call]:
    """What makes schedules of a class of the user's whose steps are not divided."""
    for call in outer(facts) if is_shorter(facts) else ():
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not is_users(facts, call) or is_told(facts, call):
            continue
        if not any(shrinks(facts, each) for each in given):
            yield call
