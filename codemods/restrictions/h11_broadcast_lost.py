"""What brings the workers to the same start is missing, misplaced, or undone again.

horovod/horovod#202, #348, #1238, #1402; a late and a lost one were run on two workers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.lost_broadcasts import (
    behind_training,
    lost_hooks,
    made_early,
    of_nothing,
    overwritten,
    own_roots,
    set_by_some,
    without_broadcast,
)
from ..model import Finding
from . import hazard
from ._finding import finding, warning

NONE = "`{}` gives None: Horovod's and all others are lost, and each worker starts on its own"
CONCATENATE = "write a list: `{}=[*{}, …]`"
UNDONE = "variables are set here on each worker for itself, behind the broadcast in line {}"
BEFORE = "do it before the broadcast"
EARLY = "this sends the variables that the graph has now, and it has none yet"
LATER = "make it behind the model and the optimizer's step"
ROOTS = "each worker names itself as the root: they wait for different workers"
NOTHING = "the model has no variables yet: this sends nothing, and each worker keeps its own start"
BUILT = "build the model first, or broadcast behind the first step: `if step == 0:`"
LATE = "the loop in line {} has trained before: each worker did so from a start of its own"
FIRST = "broadcast behind the first step of the loop: `if step == 0:`"
MISSING = "nothing brings the workers to the same start: each keeps random values of its own"
SPREAD = (
    "run `hvd.broadcast_global_variables(0)` behind the initializer and what restores, or give "
    "`hvd.BroadcastGlobalVariablesHook(0)` among the hooks"
)


@hazard(code="H11", name="broadcast-lost")
def broadcast_lost(facts: Facts) -> Iterator[Finding]:
    """Errors; a warning where another file may hold the broadcast."""
    for call in lost_hooks(facts):
        fix = CONCATENATE.format(facts.parent(call).arg, spelled(call.func.value))  # type: ignore[attr-defined,union-attr]
        yield finding(facts, call, "H11", NONE.format(spelled(call.func)), fix)
    for call, broadcast in overwritten(facts):
        line = facts.place(broadcast)[0]
        yield finding(facts, call, "H11", UNDONE.format(line), BEFORE)
    for call in made_early(facts):
        yield finding(facts, call, "H11", EARLY, LATER)
    for call in without_broadcast(facts):
        yield warning(facts, call, "H11", MISSING, SPREAD)


@hazard(code="H11", name="broadcast-misplaced")
def broadcast_misplaced(facts: Facts) -> Iterator[Finding]:
    """Errors for `broadcast_variables` where it sends nothing, or comes too late."""
    for root in own_roots(facts):
        yield finding(facts, root, "H11", ROOTS, "write `root_rank=0`")
    for call in of_nothing(facts):
        yield finding(facts, call, "H11", NOTHING, BUILT)
    for call, loop in behind_training(facts):
        yield finding(facts, call, "H11", LATE.format(facts.place(loop)[0]), FIRST)
    for call, broadcast in set_by_some(facts):
        line = facts.place(broadcast)[0]
        yield finding(facts, call, "H11", UNDONE.format(line), BEFORE)
