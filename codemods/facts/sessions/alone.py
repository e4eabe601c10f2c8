"""Whether lines can be put right before a session is made, which stand there for it alone."""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ..facts import Facts
from ..naming import SIMPLE
from ..roles import Role


def is_first(facts: Facts, session: ast.Call) -> bool:
    """Whether a statement before that of the session runs right before it alone is made."""
    statement = facts.statement(session)
    parts: list[ast.AST] = [statement] if isinstance(statement, SIMPLE) else []
    if isinstance(statement, ast.With):
        parts = [item.context_expr for item in statement.items]
    inside = [node for part in parts for node in within(part)]
    around = {session, *facts.parents(session)}
    others = (node for node in inside if node not in around and _makes_session(facts, node))
    return session in inside and not any(True for _ in others) and not _is_lazy(facts, session)


def _makes_session(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.made_by(node) is Role.SESSION


def _is_lazy(facts: Facts, session: ast.Call) -> bool:
    """Whether an expression around it may leave it out, or put it off."""
    lazy = (ast.Lambda, ast.IfExp, ast.BoolOp)
    return any(isinstance(node, lazy) for node in facts.parents(session))
