"""What a program puts into the learning rate that an optimizer has, in whatever spelling."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Optional

from ..arguments import argument
from ..facts import Facts
from ..roles import Role
from ..scopes import Binding, FunctionNode
from ..taken_methods import taken_methods, texts
from .rate_flow import NAMES, is_optimizer, is_own_rate

# A place that sets a rate, and what it puts there; None: nobody sees what, or whether.
Setting = tuple[ast.expr, Optional[ast.expr]]
_ASSIGNS = {"assign": "value", "assign_add": "delta", "assign_sub": "delta"}
_BY_BACKEND = {"set_value": "value", "update": "new_x"}  # the second argument of each
_BACKEND = "tensorflow.keras.backend."


def rate_stores(facts: Facts) -> Iterator[Setting]:
    """Every place where the rate of an optimizer is set."""
    yield from _stores(facts)
    yield from _stores_by_name(facts)
    yield from _assignments(facts)


def _stores(facts: Facts) -> Iterator[Setting]:
    """`optimizer.learning_rate = …` and its like; of `+= …` what is added."""
    for attribute in NAMES:
        for target, binding in facts.index.attribute_stores.get(attribute, []):
            if not is_optimizer(facts, target.value):
                continue
            part = _value(binding)
            if not isinstance(part, ast.expr):
                yield target, None
            elif not _is_given(facts, part):
                yield target, part


def _value(binding: Binding) -> ast.AST | None:
    if isinstance(binding.node, ast.AugAssign):
        return binding.node.value
    return binding.part if binding.kind == "assign" else None


def _is_given(facts: Facts, value: ast.expr) -> bool:
    """Whether an optimizer of the program's own keeps what it is made with: scaled at its call."""
    method = facts.function(value)
    is_start = isinstance(method, FunctionNode) and method.name == "__init__"
    cls = facts.cls(value)
    if not is_start or cls is None or facts.role_of_class(cls) is not Role.OPTIMIZER:
        return False
    bindings = facts.names.bindings(value) if isinstance(value, ast.Name) else []
    return bool(bindings) and all(binding.kind == "param" for binding in bindings)


def _stores_by_name(facts: Facts) -> Iterator[Setting]:
    """`setattr(optimizer, "learning_rate", …)`; a name that nobody sees may be that one."""
    for call, owner, name, value in _setters(facts):
        may_be, is_sure = _names_rate(facts, name)
        if may_be and is_optimizer(facts, owner):
            yield call, value if is_sure else None


def _setters(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr, ast.expr, ast.expr]]:
    for call in facts.calls_of("builtins.setattr"):
        if len(call.args) == 3:
            yield call, call.args[0], call.args[1], call.args[2]
    for call in facts.calls("__setattr__"):
        if len(call.args) == 2:
            assert isinstance(call.func, ast.Attribute)
            yield call, call.func.value, call.args[0], call.args[1]


def _names_rate(facts: Facts, name: ast.expr) -> tuple[bool, bool]:
    """Whether a text may be the name of the rate, and whether it can be nothing else."""
    known, is_all = texts(facts, name)
    named = [text for text in known if text in NAMES]
    return bool(named) or not is_all, is_all and len(named) == len(known)


def _assignments(facts: Facts) -> Iterator[Setting]:
    """`optimizer.lr.assign(…)`, `backend.set_value(optimizer.lr, …)`."""
    for call in facts.calls(*_ASSIGNS):
        assert isinstance(call.func, ast.Attribute)
        if is_own_rate(facts, call.func.value):
            yield call, argument(call, _ASSIGNS[call.func.attr], 0)
    for function, parameter in _BY_BACKEND.items():
        for call in facts.calls_of(_BACKEND + function):
            rate = argument(call, "x", 0)
            if rate is not None and is_own_rate(facts, rate):
                yield call, argument(call, parameter, 1)
    for taken in taken_methods(facts, _ASSIGNS):
        if taken.owner is not None and is_own_rate(facts, taken.owner):
            yield taken.use, None
