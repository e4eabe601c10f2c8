"""Where a rate comes from that is a number in some cases: what is bound, what a function returns.

Only where nothing else reads it: it is scaled there, and would be for others as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..functions import returns
from ..roles import Role


def rate_sources(facts: Facts, expr: ast.expr) -> list[ast.expr]:
    """What may get there; the expression itself where that is unknown, or others read it too."""
    found: list[ast.expr] = []
    seen: set[ast.expr] = set()
    waiting = [expr]
    while waiting:
        current = waiting.pop(0)
        if current in seen:
            continue
        seen.add(current)
        sources = _sources(facts, current)
        waiting += sources
        if not sources:
            found.append(current)
    return found


def _sources(facts: Facts, expr: ast.expr) -> list[ast.expr]:
    if isinstance(expr, ast.IfExp):
        return [expr.body, expr.orelse]
    if isinstance(expr, ast.Name):
        return _bound(facts, expr)
    return list(_returned(facts, expr)) if isinstance(expr, ast.Call) else []


def _bound(facts: Facts, name: ast.Name) -> list[ast.expr]:
    """`lr = 0.1` in one branch, `lr = CosineDecay(…)` in another; empty where that is unknown."""
    bindings = facts.names.bindings(name)
    is_plain = all(b.kind == "assign" and not b.path for b in bindings)
    if not is_plain or not all(_is_rate(facts, use) for use in facts.readers(name)):
        return []
    return [binding.value for binding in bindings if isinstance(binding.value, ast.expr)]


def _returned(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """What a function of the project returns, all of whose calls make rates."""
    function = facts.callee(call)
    if function is None or facts.values.escapes(function):
        return
    if all(_is_only_rate(facts, site) for site in facts.call_sites(function)):
        yield from (each.value for each in returns(function) if each.value is not None)


def _is_only_rate(facts: Facts, call: ast.Call) -> bool:
    """`Adam(rate())`; or `lr = rate()`, where the name is only read for that."""
    statement = facts.parent(call)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return _is_rate(facts, call)
    target = statement.targets[0]
    uses = facts.index.loads.get(target.id, ()) if isinstance(target, ast.Name) else ()
    same = [use for use in uses if any(b.value is call for b in facts.names.bindings(use))]
    return bool(same) and all(_is_rate(facts, use) for use in same)


def _is_rate(facts: Facts, expr: ast.AST) -> bool:
    """Whether it is only read to make an optimizer with it: `Adam(lr)`, `SGD(lr=lr)`."""
    parent = facts.parent(expr)
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call) or facts.made_by(call) is not Role.OPTIMIZER:
        return False
    return expr in call.args[:1] or getattr(parent, "arg", "") in ("learning_rate", "lr")
