"""Whether a rate is absolute, or comes from one that carries the scale already.

The rate that an optimizer has, what a scaled schedule gives and what a scaled function for
LearningRateScheduler returns are multiples already; so is whatever is computed from them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...library.agreement import is_size
from ...library.callbacks import SCHEDULER
from ..by_rank import depends_on_size
from ..facts import Facts
from ..passed_arguments import passed
from ..reaching import reaching
from ..roles import Role
from ..scopes import Function, FunctionNode
from ..taken_methods import attributes_read

NAMES = ("learning_rate", "lr")
RATE_ATTRIBUTES = (*NAMES, "_learning_rate", "_lr")
Callback = Union[Function, ast.Lambda]


def absolute(facts: Facts, expr: ast.expr, incoming: str | None) -> list[ast.expr]:
    """The parts of `expr` to multiply so that all of it is a multiple; empty if it is relative."""
    if not is_relative(facts, expr, incoming):
        return [expr]
    if _is_multiple(facts, expr):
        return []
    if isinstance(expr, ast.IfExp):
        return absolute(facts, expr.body, incoming) + absolute(facts, expr.orelse, incoming)
    if isinstance(expr, ast.Name):
        return _absolute_bindings(facts, expr, incoming)
    if isinstance(expr, ast.BinOp):
        return _absolute_terms(facts, expr, incoming)
    return []


def _is_multiple(facts: Facts, expr: ast.expr) -> bool:
    """`rate * hvd.size()`, whatever else in it is counted in steps of all workers."""
    sides = [expr.left, expr.right] if isinstance(expr, ast.BinOp) else []
    is_product = bool(sides) and isinstance(expr.op, ast.Mult)  # type: ignore[attr-defined]
    calls = [side.func for side in sides if isinstance(side, ast.Call)]
    return is_product and any(is_size(facts.name(func) or "") for func in calls)


def _absolute_terms(facts: Facts, expr: ast.BinOp, incoming: str | None) -> list[ast.expr]:
    """`lr - 0.01`: what is added to a multiple is multiplied, and factors of it are not."""
    are_terms = isinstance(expr.op, (ast.Add, ast.Sub))
    found: list[ast.expr] = []
    for side in (expr.left, expr.right):
        if are_terms or is_relative(facts, side, incoming):
            found += absolute(facts, side, incoming)
    return found


def _absolute_bindings(facts: Facts, name: ast.Name, incoming: str | None) -> list[ast.expr]:
    """`lr = 0.1` in one branch, the incoming rate in the other: the first is multiplied."""
    found: list[ast.expr] = []
    for binding in reaching(facts, name):
        value = binding.value
        values: list[ast.AST] = []
        if binding.kind == "param":
            values = _passed(facts, binding.node)
        elif binding.kind == "assign" and not binding.path and value is not None:
            values = [value]
        exprs = (each for each in values if isinstance(each, ast.expr))
        found += [each for each in exprs if not is_relative(facts, each, incoming)]
    return found


def _passed(facts: Facts, parameter: ast.AST) -> list[ast.AST]:
    """What calls pass for a parameter."""
    function = facts.index.parents[facts.index.parents[parameter]]
    sites = facts.call_sites(function)
    values = (passed(call, function, parameter, facts.classes) for call in sites)
    return [value for value in values if value is not None]


def is_relative(facts: Facts, expr: ast.AST, incoming: str | None = None) -> bool:
    """Whether the value comes from a rate that is multiplied already."""
    return depends_on_size(facts, expr) or any(
        is_own_rate(facts, node)
        or _is_schedule_call(facts, node)
        or (isinstance(node, ast.arg) and node.arg == incoming)
        for node in facts.program.sources(expr, ())
    )


def _is_schedule_call(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if facts.role(node.func) is Role.SCHEDULE:
        return True
    called = facts.callee(node)
    return called is not None and called in set(scheduler_functions(facts))


def is_own_rate(facts: Facts, expr: ast.AST) -> bool:
    """`optimizer.lr`, `self.model.optimizer.learning_rate`, under whichever name."""
    found = attributes_read(facts, expr)
    return any(is_optimizer(facts, owner) for owner, name in found if name in RATE_ATTRIBUTES)


def is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is an optimizer: by its role, or as `model.optimizer`."""
    if facts.role(expr) in (Role.OPTIMIZER, Role.LOSS_SCALE):
        return True
    return any(name == "optimizer" for _, name in attributes_read(facts, expr))


def scheduler_functions(facts: Facts) -> Iterator[Callback]:
    """The functions that LearningRateScheduler asks for the rate of an epoch."""
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        for node in functions_given(facts, given) if given is not None else ():
            if isinstance(node, (ast.Lambda, *FunctionNode)):
                yield node


def functions_given(facts: Facts, given: ast.expr) -> list[ast.AST]:
    """The functions that can flow there; a schedule object counts too."""
    found: list[ast.AST] = []
    for node in facts.origins(given).nodes:
        is_schedule = isinstance(node, ast.Call) and facts.made_by(node) is Role.SCHEDULE
        if is_schedule or isinstance(node, (ast.Lambda, *FunctionNode)):
            found.append(node)
    return found if len(found) == len(facts.origins(given).items) else []
