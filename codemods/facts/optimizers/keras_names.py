"""How a file can name an optimizer of Keras, by what it has imported."""

from __future__ import annotations

import ast

from ..causes import spelled
from ..facts import Facts
from ..names import KERAS
from ..roles import Role

CLASS = "create it by its class in this file: "
RATE = "(learning_rate=0.001)"


def class_of_keras(facts: Facts, name: str) -> str:
    """`tf.keras.optimizers.Adam` in a file that imports TensorFlow as `tf`, or Keras' module."""
    for module, rest in ((f"{KERAS}.optimizers", ""), (KERAS, "optimizers.")):
        bound = facts.names.name_of(module)
        if bound is not None:
            return f"{bound}.{rest}{name}"
    return f"{facts.names.name_of('tensorflow') or 'tf'}.keras.optimizers.{name}"


def creation(facts: Facts, expr: ast.AST) -> str:
    """The advice for an optimizer that comes from who knows where, under its name in the file."""
    made = class_of_keras(facts, "Adam") + RATE
    if isinstance(expr, ast.Attribute) and facts.role(expr.value) is Role.MODEL:
        return CLASS + f"`{spelled(expr.value)}.compile({expr.attr}={made}, …)`"
    is_part = isinstance(expr, ast.Attribute) and facts.name(expr) is None
    is_named = is_part or isinstance(expr, ast.Name)
    return CLASS + (f"`{spelled(expr)} = {made}`" if is_named else f"`{made}`")
