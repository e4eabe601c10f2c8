"""What a program puts into the learning rate that an optimizer has, in whatever spelling."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Optional

from ..arguments import ASSIGNS, argument, assigned
from ..attribute_settings import settings
from ..facts import Facts
from ..roles import Role
from ..scopes import FunctionNode
from ..taken_methods import taken_methods
from .rate_flow import NAMES, is_optimizer, is_own_rate

# A place that sets a rate, and what it puts there; None: nobody sees what, or whether.
Setting = tuple[ast.expr, Optional[ast.expr]]
_BY_BACKEND = {"set_value": "value", "update": "new_x"}  # the second argument of each
_BACKEND = "tensorflow.keras.backend."


def rate_stores(facts: Facts) -> Iterator[Setting]:
    """Every place where the rate of an optimizer is set."""
    for place, owner, value in settings(facts, NAMES):
        if is_optimizer(facts, owner) and not (value is not None and _is_given(facts, value)):
            yield place, value
    yield from _assignments(facts)


def _is_given(facts: Facts, value: ast.expr) -> bool:
    """Whether an optimizer of the program's own keeps what it is made with: scaled at its call."""
    method = facts.function(value)
    is_start = isinstance(method, FunctionNode) and method.name == "__init__"
    cls = facts.cls(value)
    if not is_start or cls is None or facts.role_of_class(cls) is not Role.OPTIMIZER:
        return False
    bindings = facts.names.bindings(value) if isinstance(value, ast.Name) else []
    return bool(bindings) and all(binding.kind == "param" for binding in bindings)


def _assignments(facts: Facts) -> Iterator[Setting]:
    """`optimizer.lr.assign(…)`, `backend.set_value(optimizer.lr, …)`."""
    for call in facts.calls(*ASSIGNS):
        assert isinstance(call.func, ast.Attribute)
        if is_own_rate(facts, call.func.value):
            yield call, assigned(call)
    for function, parameter in _BY_BACKEND.items():
        for call in facts.calls_of(_BACKEND + function):
            rate = argument(call, "x", 0)
            if rate is not None and is_own_rate(facts, rate):
                yield call, argument(call, parameter, 1)
    for taken in taken_methods(facts, ASSIGNS):
        if taken.owner is not None and is_own_rate(facts, taken.owner):
            yield taken.use, None
