"""Nothing brings the workers of a graph program to the same start, or it is undone again.

horovod/horovod#202, #348, #1238, #1402; each form was run on two workers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.starts_apart import lost_hooks, overwritten, unspread
from ..model import Finding
from . import hazard
from ._finding import finding, warning

NONE = "`{}` gives None: Horovod's hook and all others are lost, and each worker starts on its own"
CONCATENATE = "write `hooks=[*hooks, hvd.BroadcastGlobalVariablesHook(0)]`"
UNDONE = "variables are set here on each worker for itself, behind the broadcast in line {}"
BEFORE = "do it before the broadcast"
MISSING = "nothing brings the workers to the same start: each keeps random values of its own"
SPREAD = (
    "run `hvd.broadcast_global_variables(0)` behind the initializer and what restores, or give "
    "`hvd.BroadcastGlobalVariablesHook(0)` among the hooks"
)


@hazard(code="H11", name="broadcast-lost")
def broadcast_lost(facts: Facts) -> Iterator[Finding]:
    """Errors; a warning where another file may hold the broadcast."""
    for call in lost_hooks(facts):
        yield finding(facts, call, "H11", NONE.format(spelled(call.func)), CONCATENATE)
    for call, broadcast in overwritten(facts):
        line = facts.place(broadcast)[0]
        yield finding(facts, call, "H11", UNDONE.format(line), BEFORE)
    for call in unspread(facts):
        yield warning(facts, call, "H11", MISSING, SPREAD)
