"""Optimizers that a model gets past its `compile`: `model.optimizer = Adam(0.1)`.

Keras' own step trains with what stands there, whatever `compile` was given (seed 000, the rules on
`model.compile`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..horovod import member
from ..roles import Role
from ..training.pattern import Pattern, training_of
from .compiles import has_own_step
from .optimizer_makers import creations
from .wrapped_optimizers import distributed_optimizers


def replaced(facts: Facts) -> Iterator[ast.expr]:
    """The places that give a model an optimizer which is not one of those that are wrapped."""
    if training_of(facts).pattern is not Pattern.KERAS:
        return
    for target, binding in facts.index.attribute_stores.get("optimizer", ()):
        if _is_trained(facts, target.value) and not _is_wrapped(facts, binding.value):
            yield target


def is_horovods(facts: Facts, given: ast.AST) -> bool:
    """Whether it is a `DistributedOptimizer`, wherever it comes from."""
    made = facts.origins(given)
    return made.complete and all(
        isinstance(node, ast.Call) and member(facts, node.func) == "DistributedOptimizer"
        for node in made.nodes
    )


def _is_trained(facts: Facts, receiver: ast.expr) -> bool:
    """Whether it is a model that Keras' own step trains."""
    is_model = training_of(facts).is_model(receiver) or _is_callbacks(facts, receiver)
    return is_model and not has_own_step(facts, receiver)


def _is_callbacks(facts: Facts, receiver: ast.expr) -> bool:
    """`self.model` of a callback: the model that is fitted."""
    if not isinstance(receiver, ast.Attribute) or receiver.attr != "model":
        return False
    cls = facts.classes.self_class(receiver.value)
    return cls is not None and facts.role_of_class(cls) is Role.CALLBACK


def _is_wrapped(facts: Facts, given: ast.AST | None) -> bool:
    """Whether each optimizer that flows there is wrapped where it is made; None is no optimizer."""
    if given is None or is_horovods(facts, given):
        return given is not None
    return distributed_optimizers(facts).issuperset(creations(facts, given))
