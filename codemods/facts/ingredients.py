"""What a value may be made from: everything in its expression, and behind the names in there.

Where `origins` says what a value *is*, and gives up at a call of who knows what, this goes on:
`copy(opt)`, `opts["first"]`, `state.opt` and `next(iter(opts))` hold what went into them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.sought import Test
from ..syntax.agreed import is_agreed
from .facts import Facts, recorded
from .roles import Role


def ingredients(
    facts: Facts, expr: ast.AST, closed: frozenset[Role] = frozenset()
) -> Iterator[ast.AST]:
    """The parts of the expression and of what flows into it, each once; none of closed roles.

    Nothing behind a value of which a check at run time shows that all workers have the same.
    """

    return facts.program.ingredients(expr, _end(facts, closed) if closed else is_agreed)


def _end(facts: Facts, closed: frozenset[Role]) -> Test:
    """Where the ways end; one for all that ask, so that what is found is kept."""
    known = _ends(facts)
    if closed not in known:

        def is_closed(node: ast.AST) -> bool:
            return is_agreed(node) or (isinstance(node, ast.expr) and facts.role(node) in closed)

        known[closed] = is_closed
    return known[closed]


@recorded
def _ends(facts: Facts) -> dict[frozenset[Role], Test]:
    return {}
