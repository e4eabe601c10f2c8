"""Steps by hand, `w.assign_sub(rate * gradient)`: what they change, by what, at which rate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.gradients.applied_variables import is_path
from ..facts.gradients.own_updates import changes, gradients
from ..program.records import NamedTuple


class HandStep(NamedTuple):
    """A statement that is a step of plain descent; `pairs` is code, of gradients and variables."""

    statement: ast.stmt
    rate: str
    pairs: str


def hand_steps(facts: Facts) -> list[HandStep] | None:
    """All steps by hand of a program; None where one of them is of another form."""
    found: dict[ast.stmt, HandStep] = {}
    for call, is_seen in changes(facts):
        step = _step(facts, call) if is_seen else None
        if step is None:
            return None
        found[step.statement] = step
    return list(found.values())


def _step(facts: Facts, call: ast.Call) -> HandStep | None:
    statement = facts.statement(call)
    if not isinstance(statement, ast.Expr) or statement.value is not call:
        return None
    if not isinstance(call.func, ast.Attribute) or len(call.args) != 1 or call.keywords:
        return None
    variable = call.func.value
    product = _subtrahend(call.func.attr, variable, call.args[0])
    factors = _factors(facts, product)
    if factors is None or not is_path(variable):
        return None
    rate, gradient = factors
    if not isinstance(rate, ast.Constant) and not _is_setting(facts, rate):
        return None
    return _placed(facts, statement, ast.unparse(rate), gradient, variable)


def _placed(
    facts: Facts, statement: ast.stmt, rate: str, gradient: ast.expr, variable: ast.expr
) -> HandStep | None:
    """The step, with the loop over all pairs that it is the whole of."""
    loops = [p for p in facts.parents(statement) if isinstance(p, ast.For)]
    own = {n.id for n in (gradient, variable) if isinstance(n, ast.Name)}
    loop = next((p for p in loops if own & {n.id for n in _names(p.target)}), None)
    if loop is None:
        return HandStep(statement, rate, f"[({ast.unparse(gradient)}, {ast.unparse(variable)})]")
    target, both = loop.target, loop.iter
    is_zip = isinstance(both, ast.Call) and facts.name(both.func) == "builtins.zip"
    if loop.body != [statement] or loop.orelse or not is_zip or not isinstance(target, ast.Tuple):
        return None
    names, lists = list(map(ast.unparse, target.elts)), list(map(ast.unparse, both.args))  # type: ignore[attr-defined]
    wanted = [ast.unparse(gradient), ast.unparse(variable)]
    if sorted(names) != sorted(wanted) or len(lists) != 2:
        return None
    return HandStep(loop, rate, f"zip({', '.join(lists[names.index(each)] for each in wanted)})")


def _names(target: ast.expr) -> Iterator[ast.Name]:
    return (node for node in ast.walk(target) if isinstance(node, ast.Name))


def _subtrahend(method: str, variable: ast.expr, value: ast.expr) -> ast.expr | None:
    """What is subtracted from the variable: by `assign_sub(x)` or `assign(variable - x)`."""
    if method == "assign_sub":
        return value
    if method == "assign" and isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub):
        return value.right if ast.unparse(value.left) == ast.unparse(variable) else None
    return None


def _factors(facts: Facts, product: ast.expr | None) -> tuple[ast.expr, ast.expr] | None:
    """Rate and gradient of a product."""
    if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
        return None
    sides = (product.left, product.right)
    is_gradient = [any(True for _ in gradients(facts, side)) for side in sides]
    if sum(is_gradient) != 1:
        return None
    return (sides[1], sides[0]) if is_gradient[0] else sides


def _is_setting(facts: Facts, rate: ast.expr) -> bool:
    """Whether it is a name that the module binds once, to a number."""
    if not isinstance(rate, ast.Name):
        return False
    scope = facts.scope(rate).find(rate.id)
    bindings = facts.bindings(rate)
    is_one = len(bindings) == 1 and isinstance(scope.node, ast.Module)  # type: ignore[union-attr]
    return is_one and isinstance(bindings[0].value, ast.Constant)
