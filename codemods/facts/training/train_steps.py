"""What a `train_step` of a Keras model runs: `fit` calls it, and Keras averages for it."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..roles import Role
from ..scopes import FunctionNode


def in_train_step(facts: Facts, node: ast.AST) -> bool:
    """Whether the code belongs to a `train_step` that a Keras model's `fit` calls."""
    cls = facts.cls(node)
    if cls is None or facts.role_of_class(cls) is not Role.MODEL:
        return False
    step = facts.classes.method(cls, "train_step")
    is_fitted = any(True for _ in facts.calls("fit", "fit_generator"))
    return step is not None and is_fitted and _belongs_to(facts, node, step)


def _belongs_to(facts: Facts, node: ast.AST, step: ast.AST) -> bool:
    for parent in facts.parents(node):
        if parent is step:
            return True
        if isinstance(parent, FunctionNode):
            sites = facts.call_sites(parent)
            if sites and all(step in facts.parents(site) for site in sites):
                return True
    return False
