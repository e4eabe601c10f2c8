"""Every worker moves the weights alike: by averages, and nothing of its own behind them.

What changes a gradient between the tape and the optimizer is averaged by nobody, and the workers
drift apart without a word.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.gradients.own_updates import changed_alone
from ..facts.roles import Role
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding

MESSAGE = "each worker changes the averaged gradients by a value of its own, and they drift apart"
FIX = (
    "multiply the loss by it, inside of the tape, which averages what comes of it; or average it "
    "first: `hvd.allreduce(…)`"
)


@restriction(code="T07", name="own-changes", proves=True)
def own_changes(facts: Facts) -> Iterator[Finding]:
    """Gradients that are applied with something of one worker's own in them."""
    for application, own in changed_alone(facts):
        found = finding(facts, application, "T07", MESSAGE, FIX)
        name = facts.name(own.func) if isinstance(own, ast.Call) else None
        if name is not None and facts.role(own) is not Role.MODEL:
            yield drawn_at(facts, found, application, own)
        else:
            where = f"; `{spelled(own)}` in line {facts.place(own)[0]} is each worker's own"
            yield found._replace(message=found.message + where)
