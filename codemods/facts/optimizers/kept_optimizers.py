"""Optimizers that `compile` gives to a model, and that a loop of the program's own asks it for."""

from __future__ import annotations

import ast

from ..classes import is_super
from ..facts import Facts
from ..roles import Role

NAME = "optimizer"


def kept_by_compile(facts: Facts, receiver: ast.AST) -> list[ast.expr]:
    """What `model.optimizer` was given to `compile` as; empty where the program sets it itself."""
    if not is_kept(facts, receiver):
        return []
    assert isinstance(receiver, ast.Attribute)
    given = (_given(facts, call, receiver.value) for call in facts.calls("compile"))
    return [value for value in given if value is not None]


def is_kept(facts: Facts, receiver: ast.AST) -> bool:
    """Whether it is the optimizer of a model, and nothing but `compile` sets it."""
    if not isinstance(receiver, ast.Attribute) or receiver.attr != NAME:
        return False
    if not _is_model(facts, receiver.value):
        return False
    stores = facts.index.attribute_stores.get(NAME, ())
    return not any(_is_model(facts, target.value) for target, _ in stores)


def _is_model(facts: Facts, expr: ast.expr) -> bool:
    cls = facts.values.instance_of(expr)
    is_one = cls is not None and facts.role_of_class(cls) is Role.MODEL
    return is_one or facts.role(expr) is Role.MODEL


def _given(facts: Facts, call: ast.Call, model: ast.expr) -> ast.expr | None:
    compiled: ast.expr = call.func.value  # type: ignore[attr-defined]
    return facts.argument(call, NAME, 0) if _are_one(facts, compiled, model) else None


def _are_one(facts: Facts, compiled: ast.expr, model: ast.expr) -> bool:
    own = facts.cls(compiled) if is_super(compiled) else facts.values.instance_of(compiled)
    cls = facts.values.instance_of(model)
    if own is not None or cls is not None:
        return own is cls
    return not set(facts.origins(compiled).nodes).isdisjoint(facts.origins(model).nodes)
