"""What a value may be made from: everything in its expression, and behind the names in there.

Where `origins` says what a value *is*, and gives up at a call of who knows what, this goes on:
`copy(opt)`, `opts["first"]`, `state.opt` and `next(iter(opts))` hold what went into them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .facts import Facts
from .roles import Role


def ingredients(
    facts: Facts, expr: ast.AST, closed: frozenset[Role] = frozenset()
) -> Iterator[ast.AST]:
    """The parts of the expression and of what flows into it, each once; none of closed roles."""

    def is_closed(node: ast.AST) -> bool:
        return isinstance(node, ast.expr) and facts.role(node) in closed

    return facts.program.ingredients(expr, is_closed if closed else None)
