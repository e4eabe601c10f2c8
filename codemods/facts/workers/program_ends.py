"""Places where some workers end the program, and what the others come to behind them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..by_rank import EXITS
from ..facts import Facts
from ..scopes import FunctionNode
from ..walks import reached
from .collectives import Collective, held_by
from .rank_tests import ends_quietly

_DEFINITIONS = (*FunctionNode, ast.ClassDef)


def program_ends(facts: Facts) -> Iterator[ast.stmt]:
    """`sys.exit()`, `raise SystemExit`."""
    for call in facts.index.calls:
        statement = facts.parent(call)
        if isinstance(statement, ast.Expr) and facts.name(call.func) in EXITS:
            yield statement
    yield from (each for each in facts.index.nodes(ast.Raise) if ends_quietly(facts, each))


def behind(facts: Facts, end: ast.stmt) -> Iterator[Collective]:
    """The collectives that come later, in the function or where that is called."""

    def callers(node: ast.AST) -> list[ast.Call]:
        function = facts.function(node)
        return [] if function is None else facts.call_sites(function)

    start: list[ast.AST] = [end]
    for place in reached(start, callers):
        yield from held_by(facts, _later(facts, place))


def _later(facts: Facts, node: ast.AST) -> Iterator[ast.stmt]:
    """The statements behind one in its function: those of its block, and of the blocks around."""
    statement: ast.AST | None = facts.statement(node)
    while isinstance(statement, ast.stmt) and not isinstance(statement, _DEFINITIONS):
        block, number = facts.block(statement)
        yield from (later for later in block[number + 1 :] if not isinstance(later, _DEFINITIONS))
        statement = facts.parent(statement)
