"""An optimizer is wrapped by Horovod, and the gradients that train never come to it.

horovod/horovod#141, #291, #303, #384; that the workers drift apart then was run on two of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.horovod_parts import dropped_wrappers, passed_by
from ..model import Finding
from . import hazard
from ._finding import finding

DROPPED = "`{}` gives a new object, which nobody keeps: the old one averages nothing"
PASSED = (
    "these gradients are not computed by the optimizer that Horovod has wrapped: nobody averages "
    "them, and each worker trains a model of its own"
)
KEEP = "assign it, and use nothing else from there on"
COMPUTE = "wrap the optimizer first, and let it compute them: `minimize`, or `compute_gradients`"


@hazard(code="H07", name="averaged-by-nobody")
def averaged_by_nobody(facts: Facts) -> Iterator[Finding]:
    """Errors: the workers drift apart from the first step on."""
    for call in dropped_wrappers(facts):
        yield finding(facts, call, "H07", DROPPED.format(spelled(call.func)), KEEP)
    for call in passed_by(facts):
        yield finding(facts, call, "H07", PASSED, COMPUTE)
