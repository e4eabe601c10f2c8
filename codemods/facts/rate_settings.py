"""Rates set while training: LearningRateScheduler functions, `optimizer.learning_rate = …`.

An absolute rate is multiplied. One computed from the optimizer's own (already multiplied) rate is
not, nor is what a schedule gives, which was multiplied where it was made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from .facts import Facts
from .learning_rates import NAMES, Rate, UnknownRate, times
from .roles import Role
from .scopes import Function, FunctionNode
from .values import returns

SCHEDULER = "tensorflow.keras.callbacks.LearningRateScheduler"
SET_VALUE = ("tensorflow.keras.backend.set_value",)
RATE_ATTRIBUTES = (*NAMES, "_learning_rate", "_lr")
Callback = Union[Function, ast.Lambda]


def set_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """Every absolute rate that is set while training."""
    found: dict[ast.AST, Rate] = {}
    for function in _scheduler_functions(facts):
        for value in _results(function):
            for part in absolute(facts, value, _incoming(facts, function)):
                found[part] = times(facts)
    for value in _assigned(facts):
        for part in absolute(facts, value, None):
            found[part] = times(facts)
    return found


def unknown_settings(facts: Facts) -> Iterator[UnknownRate]:
    """LearningRateScheduler callbacks whose function can't be seen."""
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        if given is None or not _functions(facts, given):
            yield UnknownRate(
                given if given is not None else call,
                "the function that gives this learning rate can't be seen",
                "define it in this file, or scale what it returns by hvd.size() yourself",
            )


# -- LearningRateScheduler --------------------------------------------------------------------


def _scheduler_functions(facts: Facts) -> Iterator[Callback]:
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        for node in _functions(facts, given) if given is not None else ():
            if isinstance(node, (ast.Lambda, *FunctionNode)):
                yield node


def _functions(facts: Facts, given: ast.expr) -> list[ast.AST]:
    """The functions that can flow there; a schedule object counts too."""
    found: list[ast.AST] = []
    for node in facts.origins(given).nodes:
        is_schedule = isinstance(node, ast.Call) and facts.made_by(node) is Role.SCHEDULE
        if is_schedule or isinstance(node, (ast.Lambda, *FunctionNode)):
            found.append(node)
    return found if len(found) == len(facts.origins(given).items) else []


def _results(function: Callback) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [r.value for r in returns(function) if r.value is not None]


def _incoming(facts: Facts, function: Callback) -> str | None:
    """The second parameter: Keras passes the current rate in it."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    names = names[1:] if facts.classes.method_of(function) is not None else names
    return names[1] if len(names) > 1 else None


# -- setting an optimizer's rate --------------------------------------------------------------


def _assigned(facts: Facts) -> Iterator[ast.expr]:
    for attribute in NAMES:
        for target, binding in facts.index.attribute_stores.get(attribute, []):
            is_whole = binding.kind == "assign" and not binding.path
            if is_whole and isinstance(binding.value, ast.expr):
                yield from [binding.value] if _is_optimizer(facts, target.value) else []
    for call in facts.calls("assign"):
        if is_own_rate(facts, call.func.value) and call.args:  # type: ignore[attr-defined]
            yield call.args[0]
    for call in facts.calls_of(*SET_VALUE):
        if len(call.args) == 2 and is_own_rate(facts, call.args[0]):
            yield call.args[1]


def is_own_rate(facts: Facts, expr: ast.AST) -> bool:
    """`optimizer.lr`, `self.model.optimizer.learning_rate`."""
    return (
        isinstance(expr, ast.Attribute)
        and expr.attr in RATE_ATTRIBUTES
        and _is_optimizer(facts, expr.value)
    )


def _is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    if isinstance(expr, ast.Attribute) and expr.attr == "optimizer":
        return True
    return facts.role(expr) in (Role.OPTIMIZER, Role.LOSS_SCALE)


# -- absolute or relative ---------------------------------------------------------------------


def absolute(facts: Facts, expr: ast.expr, incoming: str | None) -> list[ast.expr]:
    """The parts of `expr` to multiply so that all of it is a multiple; empty if it is relative."""
    if not _is_relative(facts, expr, incoming, set()):
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
            found += [value] if not _is_relative(facts, value, incoming, set()) else []
    return found


def _is_relative(facts: Facts, expr: ast.AST, incoming: str | None, seen: set[ast.AST]) -> bool:
    """Whether the value comes from a rate that is multiplied already."""
    if expr in seen:
        return False
    seen.add(expr)
    for node in ast.walk(expr):
        if is_own_rate(facts, node) or _is_schedule_call(facts, node):
            return True
        if isinstance(node, ast.Name) and _name_is_relative(facts, node, incoming, seen):
            return True
        if isinstance(node, ast.Attribute) and _attribute_is_relative(facts, node, incoming, seen):
            return True
    return False


def _is_schedule_call(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.role(node.func) is Role.SCHEDULE


def _name_is_relative(
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
            if _is_relative(facts, value, incoming, seen):
                return True
    return False


def _is_second(facts: Facts, arg: ast.AST) -> bool:
    function = facts.index.parents[facts.index.parents[arg]]
    return isinstance(function, (ast.Lambda, *FunctionNode))


def _attribute_is_relative(
    facts: Facts, node: ast.Attribute, incoming: str | None, seen: set[ast.AST]
) -> bool:
    """`self.base`, stored from the optimizer's rate in another method."""
    if facts.classes.self_class(node.value) is None:
        return False
    made = facts.origins(node).nodes
    return any(m is not node and _is_relative(facts, m, incoming, seen) for m in made)
