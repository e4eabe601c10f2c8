"""Whether a rate is absolute, or comes from one that carries the scale already.

The rate that an optimizer has, what a scaled schedule gives and what a scaled function for
LearningRateScheduler returns are multiples already; so is whatever is computed from them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ..by_rank import depends_on_size
from ..facts import Facts
from ..roles import Role
from ..scopes import Function, FunctionNode

NAMES = ("learning_rate", "lr")
RATE_ATTRIBUTES = (*NAMES, "_learning_rate", "_lr")
SCHEDULER = "tensorflow.keras.callbacks.LearningRateScheduler"
Callback = Union[Function, ast.Lambda]


def absolute(facts: Facts, expr: ast.expr, incoming: str | None) -> list[ast.expr]:
    """The parts of `expr` to multiply so that all of it is a multiple; empty if it is relative."""
    if not is_relative(facts, expr, incoming):
        return [expr]
    if isinstance(expr, ast.IfExp):
        return absolute(facts, expr.body, incoming) + absolute(facts, expr.orelse, incoming)
    if isinstance(expr, ast.Name):
        return _absolute_bindings(facts, expr, incoming)
    return []


def _absolute_bindings(facts: Facts, name: ast.Name, incoming: str | None) -> list[ast.expr]:
    """`lr = 0.1` in one branch, the incoming rate in the other: the first is multiplied."""
    found: list[ast.expr] = []
    for binding in facts.names.bindings(name):
        value = binding.value
        if binding.kind == "assign" and not binding.path and isinstance(value, ast.expr):
            found += [value] if not is_relative(facts, value, incoming) else []
    return found


def is_relative(
    facts: Facts, expr: ast.AST, incoming: str | None = None, seen: set[ast.AST] | None = None
) -> bool:
    """Whether the value comes from a rate that is multiplied already."""
    if seen is None and depends_on_size(facts, expr):
        return True
    seen = set() if seen is None else seen
    if expr in seen:
        return False
    seen.add(expr)
    for node in ast.walk(expr):
        if is_own_rate(facts, node) or _is_schedule_call(facts, node):
            return True
        if isinstance(node, ast.Name) and _nameis_relative(facts, node, incoming, seen):
            return True
        if isinstance(node, ast.Attribute) and _attributeis_relative(facts, node, incoming, seen):
            return True
    return False


def _is_schedule_call(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if facts.role(node.func) is Role.SCHEDULE:
        return True
    called = facts.callee(node)
    return called is not None and called in set(scheduler_functions(facts))


def _nameis_relative(
    facts: Facts, name: ast.Name, incoming: str | None, seen: set[ast.AST]
) -> bool:
    for binding in facts.names.bindings(name):
        if binding.kind == "param":
            if name.id == incoming and _is_second(facts, binding.node):
                return True
        elif binding.kind in ("assign", "aug") and binding.value is not None:
            value = (
                binding.value.value if isinstance(binding.value, ast.AugAssign) else binding.value
            )
            if is_relative(facts, value, incoming, seen):
                return True
    return False


def _is_second(facts: Facts, arg: ast.AST) -> bool:
    function = facts.index.parents[facts.index.parents[arg]]
    return isinstance(function, (ast.Lambda, *FunctionNode))


def _attributeis_relative(
    facts: Facts, node: ast.Attribute, incoming: str | None, seen: set[ast.AST]
) -> bool:
    """`self.base`, stored from the optimizer's rate in another method."""
    if facts.classes.self_class(node.value) is None:
        return False
    made = facts.origins(node).nodes
    return any(m is not node and is_relative(facts, m, incoming, seen) for m in made)


def is_own_rate(facts: Facts, expr: ast.AST) -> bool:
    """`optimizer.lr`, `self.model.optimizer.learning_rate`."""
    return (
        isinstance(expr, ast.Attribute)
        and expr.attr in RATE_ATTRIBUTES
        and is_optimizer(facts, expr.value)
    )


def is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is an optimizer: by its role, or as `model.optimizer`."""
    if isinstance(expr, ast.Attribute) and expr.attr == "optimizer":
        return True
    return facts.role(expr) in (Role.OPTIMIZER, Role.LOSS_SCALE)


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
