"""**averaged**: each gradient that reaches an application was averaged exactly once.

Nothing but sums, scaling and casts stands between tape and averaging unless a row says otherwise.
Two wrappers around one object are found here; what else is certainly not so, by today's checks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.one_worker import WRAPPERS, part
from ..program.node_fields import within
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
                if any(wraps(made) for each in inner for made in program.origins(each).nodes):
                    yield case.violated(NAME, node, TWICE, FIX, "H06")
