"""**averaged**: each gradient that reaches an application was averaged exactly once.

Nothing but sums, scaling and casts stands between tape and averaging unless a row says otherwise.
Two wrappers around one object are found here; what else is certainly not so, by today's checks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.one_worker import WRAPPERS, part
from ..program.node_fields import within
from ..program.parts import FUNCTIONS, LOOPS
from .case import Case, proved
from .known import wrapped
from .proof import Proof

NAME = "averaged"
HOW = "no wrapper averages what another one has averaged, and no check finds gradients without one"
TWICE = "what is wrapped here is wrapped already: its gradients are averaged twice"
FIX = "wrap it once"


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, and wrappers around wrappers."""
    found = [*wrapped(case, NAME), *_twice(case)]
    yield from found or [proved(NAME, HOW)]


def _twice(case: Case) -> Iterator[Proof]:
    program = case.program

    def wraps(node: ast.AST) -> bool:
        names = program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(part(name) in WRAPPERS for name in names)

    for source in case.after.values():
        for node in within(source.module):
            if isinstance(node, ast.Call) and wraps(node):
                inner = [*node.args[:1], *(k.value for k in node.keywords[:1] if not node.args)]
                made = {
                    made for each in inner for made in program.origins(each).nodes if wraps(made)
                }
                if made - {node} or (made and _repeats(case, node, set())):
                    yield case.violated(NAME, node, TWICE, FIX, "H06")


def _repeats(case: Case, node: ast.AST, seen: set[ast.AST]) -> bool:
    """Whether a call may wrap again what it gave itself: an attribute holds it from then on.

    What `__init__` wraps is another object's each time.
    """
    while node in case.parents and not isinstance(node, FUNCTIONS):
        node = case.parents[node]
        if isinstance(node, LOOPS):
            return True
    if not isinstance(node, FUNCTIONS) or node in seen or getattr(node, "name", "") == "__init__":
        return False
    calls = case.program.call_sites(node).nodes
    return len(calls) > 1 or any(_repeats(case, call, {*seen, node}) for call in calls)
