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
from .rows import Rows, RowsOf

NAME = "reported"
HOW = "each fit averages its metrics before anything reads them"
OWN = "nothing averages the metrics of this `fit`: what is shown and written is of rank 0's share"
FIX = "put `hvd.callbacks.MetricAverageCallback()` behind the broadcast"
PART = (
    "nobody trains on this data, and each worker has only a part of it, or nothing, as what makes "
    "it cuts it for the training, too"
)
WHOLE = "make the data that isn't trained on in a function of its own, or with an argument for it"
_TRAINING = ("fit", "fit_generator", "train_on_batch", "apply_gradients", "minimize")
_BROADCAST, _MEAN = "BroadcastGlobalVariablesCallback", "MetricAverageCallback"


def prove(case: Case) -> Iterator[Proof]:
    """What today's check finds, and the `fit`s of a result that average nothing."""
    found = list(wrapped(case, NAME))
    if case.is_result:
        found += [*_unaveraged(case), *_parted(case)]
    yield from found or [proved(NAME, HOW)]


def _parted(case: Case) -> Iterator[Proof]:
    """What is taken of data that nobody trains on, and that is cut where the other data is."""
    nodes = (node for source in case.after.values() for node in within(source.module))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    looks = [call for call in calls if call.args and _is_look(case, call)]
    if not looks:
        return
    rows, program = RowsOf(case.program), case.program
    fits = (call for call in calls if getattr(call.func, "attr", "") in _TRAINING)
    trained = {*program.ingredients_of([a for call in fits for a in _given(call)])}
    for look in looks:
        made = [n for n in program.ingredients(look.args[0]) if isinstance(n, ast.Call)]
        own = [n for n in made if program.functions(n.func).nodes and n not in trained]
        if own and trained and rows.of(look.args[0]) & Rows.SHARE:
            yield case.not_proved(NAME, look, PART, WHOLE)


def _is_look(case: Case, call: ast.Call) -> bool:
    """`next(iter(data))`."""
    return case.program.names(call.func) == ("builtins.next",)


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


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
