"""Rates set while training: LearningRateScheduler functions, `optimizer.learning_rate = …`.

An absolute rate is multiplied. One computed from the optimizer's own (already multiplied) rate is
not, nor is what a schedule gives, which was multiplied where it was made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..functions import returns
from ..roles import Role
from ..scopes import Binding, FunctionNode
from .learning_rates import Rate
from .rate_flow import (
    NAMES,
    SCHEDULER,
    Callback,
    absolute,
    functions_given,
    is_optimizer,
    is_own_rate,
    scheduler_functions,
)

SET_VALUE = ("tensorflow.keras.backend.set_value",)


def set_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """Every absolute rate that is set while training."""
    found: dict[ast.AST, Rate] = {}
    for function in scheduler_functions(facts):
        for value in _results(function):
            for part in absolute(facts, value, _incoming(facts, function)):
                found[part] = Rate()
    for value in assigned(facts):
        if facts.role(value) is not Role.SCHEDULE:  # which carries the scale itself
            for part in absolute(facts, value, None):
                found[part] = Rate()
    return found


def unknown_settings(facts: Facts) -> Iterator[ast.expr]:
    """Functions of a LearningRateScheduler, and rates that are unpacked, which can't be seen."""
    for target, binding in _stores(facts):
        if binding.kind != "aug" and not isinstance(binding.part, ast.expr):
            yield target
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        if given is None or not functions_given(facts, given):
            yield given if given is not None else call


def _results(function: Callback) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [r.value for r in returns(function) if r.value is not None]


def _incoming(facts: Facts, function: Callback) -> str | None:
    """The second parameter: Keras passes the current rate in it."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    names = names[1:] if facts.classes.method_of(function) is not None else names
    return names[1] if len(names) > 1 else None


def _is_given(facts: Facts, value: ast.expr) -> bool:
    """Whether an optimizer of the program's own keeps what it is made with: scaled at its call."""
    method = facts.function(value)
    is_start = isinstance(method, FunctionNode) and method.name == "__init__"
    cls = facts.cls(value)
    if not is_start or cls is None or facts.role_of_class(cls) is not Role.OPTIMIZER:
        return False
    bindings = facts.names.bindings(value) if isinstance(value, ast.Name) else []
    return bool(bindings) and all(binding.kind == "param" for binding in bindings)


def _stores(facts: Facts) -> Iterator[tuple[ast.Attribute, Binding]]:
    """`optimizer.learning_rate = …` and its like."""
    for attribute in NAMES:
        for target, binding in facts.index.attribute_stores.get(attribute, []):
            if is_optimizer(facts, target.value):
                yield target, binding


def assigned(facts: Facts) -> Iterator[ast.expr]:
    """The values of `optimizer.learning_rate = …` and its like."""
    for _, binding in _stores(facts):
        part = binding.part if binding.kind == "assign" else None
        if isinstance(part, ast.expr) and not _is_given(facts, part):
            yield part
    for call in facts.calls("assign"):
        if is_own_rate(facts, call.func.value) and call.args:  # type: ignore[attr-defined]
            yield call.args[0]
    for call in facts.calls_of(*SET_VALUE):
        if len(call.args) == 2 and is_own_rate(facts, call.args[0]):
            yield call.args[1]
