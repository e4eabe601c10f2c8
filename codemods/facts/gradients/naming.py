"""Whether a value can be named by a statement of its own, right before the one that uses it."""

from __future__ import annotations

import ast

from ..facts import Facts

SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


def bound_to(facts: Facts, call: ast.Call) -> str | None:
    """The name or attribute that a statement binds to nothing but this call's value."""
    parent = facts.parent(call)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target: ast.expr = parent.targets[0]
    elif isinstance(parent, ast.AnnAssign):
        target = parent.target
    else:
        return None
    return ast.unparse(target) if _is_path(target) else None


def _is_path(target: ast.expr) -> bool:
    """`a`, `self.a`, `self.model.a`: reading it again gives what was stored."""
    while isinstance(target, ast.Attribute):
        target = target.value
    return isinstance(target, ast.Name)


def can_be_named(facts: Facts, node: ast.expr) -> bool:
    """Whether a statement right before means the same: not in a lambda or a branch."""
    statement = facts.statement(node)
    if not isinstance(statement, SIMPLE):
        return False
    between = []
    for parent in facts.parents(node):
        if parent is statement:
            break
        between.append(parent)
    deferred = (
        ast.Lambda,
        ast.IfExp,
        ast.BoolOp,
        ast.comprehension,
        ast.ListComp,
        ast.GeneratorExp,
        ast.DictComp,
        ast.SetComp,
        ast.JoinedStr,  # no place that can be edited
    )
    return not any(isinstance(parent, deferred) for parent in between)
