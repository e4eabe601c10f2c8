"""A worker's own clock or random numbers decide whether it calls a collective.

horovod/horovod#403, #832; of a step of the training T07 asks for a proof that all decide alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..judge.disagreements import disagreements
from ..judge.own import Level
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = (
    "all workers must call `{}`, and `{}` in line {} is answered by each for itself, by `{}`: "
    "where one says no, the others wait for it"
)
FIX = "let rank 0 decide for all: `hvd.broadcast_object({}, root_rank=0)`"


@hazard(code="H12", name="decided-alone")
def decided_alone(facts: Facts) -> Iterator[Finding]:
    """Warnings: often enough all answer alike, and the job hangs in the one run in ten."""
    for each in disagreements(facts).found:
        call, test = each.place, each.value
        is_own = each.sink.code == "H12" and each.own.level is Level.OWN
        if not is_own or not isinstance(call, ast.Call) or not isinstance(test, ast.expr):
            continue
        made = (node for node in facts.program.ingredients(test) if node is each.own.source)
        for source in made:  # none where another decision makes this one differ
            what = (spelled(call.func), spelled(test), facts.place(test)[0], spelled(source))
            yield warning(facts, call, "H12", MESSAGE.format(*what), FIX.format(spelled(test)))
