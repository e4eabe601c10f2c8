"""**reported**: what steers training, or is reported as the job's, was averaged before it is read.

A `fit` of a result whose callbacks begin with a broadcast has one that averages metrics, too: what
rank 0 prints and writes would be of its own share. Callbacks that steer by a worker's own metrics
are found by today's check.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.one_worker import AVERAGES, part
from ..program.node_fields import within
from .case import Case, proved
from .known import wrapped
from .proof import Proof

NAME = "reported"
HOW = "each fit averages its metrics before anything reads them"
OWN = "nothing averages the metrics of this `fit`: what is shown and written is of rank 0's share"
FIX = "put `hvd.callbacks.MetricAverageCallback()` behind the broadcast"
_BROADCAST, _MEAN = "BroadcastGlobalVariablesCallback", "MetricAverageCallback"


def prove(case: Case) -> Iterator[Proof]:
    """What today's check finds, and the `fit`s of a result that average nothing."""
    found = [*wrapped(case, NAME), *(_unaveraged(case) if case.is_result else ())]
    yield from found or [proved(NAME, HOW)]


def _unaveraged(case: Case) -> Iterator[Proof]:
    program = case.program

    def makes(node: ast.AST, member: str) -> bool:
        names = program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(part(name).endswith(member) for name in names)

    def averages(node: ast.AST) -> bool:
        if makes(node, _MEAN):
            return True
        classes = program.classes(node.func).nodes if isinstance(node, ast.Call) else ()
        calls = (n for cls in classes for n in within(cls) if isinstance(n, ast.Call))
        return any(part(name) in AVERAGES for c in calls for name in program.names(c.func))

    begins = program.sought(lambda node: makes(node, _BROADCAST))
    has_mean = program.sought(averages)
    for source in case.after.values():
        for node in within(source.module):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "fit":
                given = [k.value for k in node.keywords if k.arg == "callbacks"]
                if any(map(begins, given)) and not any(map(has_mean, given)):
                    yield case.violated(NAME, node, OWN, FIX)
