"""Hooks of monitored sessions and Estimators that a program defines itself."""

from __future__ import annotations

import ast

from ...library.hooks import OF_RUNS
from ...library.sessions import is_hook
from ..facts import Facts
from ..scopes import FunctionNode


def is_own_hook(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether a class of the module is a hook."""
    return any(is_hook(facts.name(base) or "") or _is_local_hook(facts, base) for base in cls.bases)


def _is_local_hook(facts: Facts, base: ast.expr) -> bool:
    local = facts.classes.local(base)
    return local is not None and is_own_hook(facts, local)


def hook_around(facts: Facts, node: ast.AST) -> ast.ClassDef | None:
    """The hook of the program's own that something stands in."""
    around = next((p for p in facts.parents(node) if isinstance(p, ast.ClassDef)), None)
    return around if around is not None and is_own_hook(facts, around) else None


def is_session_of_hook(facts: Facts, expr: ast.expr) -> bool:
    """`run_context.session`, which TensorFlow hands to a hook behind each of its runs."""
    method = facts.function(expr)
    if not isinstance(method, FunctionNode) or method.name != OF_RUNS[1]:
        return False
    given = method.args.args[1:2]
    is_member = isinstance(expr, ast.Attribute) and expr.attr == "session"
    context = expr.value if is_member else None  # type: ignore[attr-defined]
    is_context = isinstance(context, ast.Name) and [a.arg for a in given] == [context.id]
    return is_context and hook_around(facts, method) is not None
