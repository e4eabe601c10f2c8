"""Rates set while training: LearningRateScheduler functions, `optimizer.learning_rate = …`.

An absolute rate is multiplied. One computed from the optimizer's own (already multiplied) rate is
not, nor is what a schedule gives, which was multiplied where it was made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.callbacks import SCHEDULER
from ..facts import Facts
from ..functions import returns
from ..roles import Role
from .learning_rates import Rate
from .rate_flow import (
    Callback,
    absolute,
    functions_given,
    scheduler_functions,
)
from .rate_stores import rate_stores


def set_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """Every absolute rate that is set while training."""
    found: dict[ast.AST, Rate] = {}
    for function in scheduler_functions(facts):
        for value in _results(function):
            for part in absolute(facts, value, _incoming(facts, function)):
                found[part] = Rate()
    for value in assigned(facts):
        if facts.role(value) is not Role.SCHEDULE and not _is_factor(facts, value):
            for part in absolute(facts, value, None):
                found[part] = Rate()
    return found


def _is_factor(facts: Facts, value: ast.expr) -> bool:
    """`optimizer.lr *= value`: the rate carries the scale, as a schedule does."""
    parent = facts.parent(value)
    return isinstance(parent, ast.AugAssign) and not isinstance(parent.op, (ast.Add, ast.Sub))


def unseen_functions(facts: Facts) -> Iterator[ast.expr]:
    """What LearningRateScheduler is given, where no function of it can be seen."""
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        if given is None or not functions_given(facts, given):
            yield given if given is not None else call


def unseen_values(facts: Facts) -> Iterator[ast.expr]:
    """The places that set a rate, or may set it, to what can't be seen."""
    return (place for place, value in rate_stores(facts) if value is None)


def scheduled(facts: Facts) -> Iterator[ast.expr]:
    """The rates that functions of LearningRateScheduler give."""
    for function in scheduler_functions(facts):
        yield from _results(function)


def _results(function: Callback) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [r.value for r in returns(function) if r.value is not None]


def _incoming(facts: Facts, function: Callback) -> str | None:
    """The second parameter: Keras passes the current rate in it."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    names = names[1:] if facts.classes.method_of(function) is not None else names
    return names[1] if len(names) > 1 else None


def assigned(facts: Facts) -> Iterator[ast.expr]:
    """The values that are put into the rates of optimizers, as far as they are seen."""
    return (value for _, value in rate_stores(facts) if value is not None)
