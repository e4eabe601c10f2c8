"""Whether a value can be named by a statement of its own, right before the one that uses it."""

from __future__ import annotations

import ast
from functools import partial
from itertools import takewhile
from operator import is_not

from ..library.agreement import COUNTERS
from .facts import Facts

_FIXED = (ast.Constant, ast.operator, ast.unaryop, ast.cmpop, ast.expr_context)
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


def is_first(facts: Facts, node: ast.expr) -> bool:
    """Whether its statement looks at nothing that may change before it comes to this expression.

    `print("step", f())` calls `f` first; `print(w, f())` reads `w` before.
    """
    statement, inner = facts.statement(node), node
    for parent in facts.parents(node):
        if parent is statement:
            break
        before = takewhile(partial(is_not, inner), ast.iter_child_nodes(parent))
        if not all(_stays(facts, parent, each) for each in before):
            return False
        inner = parent  # type: ignore[assignment]
    return True


def _stays(facts: Facts, parent: ast.AST, part: ast.AST) -> bool:
    """Whether it is a constant, a count, or the name of what is called."""
    if isinstance(parent, ast.Call) and part is parent.func:
        return isinstance(part, ast.expr) and _is_path(part)
    return isinstance(part, _FIXED) or (isinstance(part, ast.Name) and _is_count(facts, part))


def _is_count(facts: Facts, name: ast.Name) -> bool:
    """Whether it only ever counts: `for step in range(10)`."""
    bindings = facts.names.bindings(name)
    loops = [b.node for b in bindings if isinstance(b.node, (ast.For, ast.AsyncFor))]
    calls = [loop.iter for loop in loops if isinstance(loop.iter, ast.Call)]
    is_all = bool(bindings) and len(calls) == len(bindings)
    return is_all and all(facts.name(call.func) in COUNTERS for call in calls)
