"""Calls that give gradients to an optimizer: `apply_gradients(pairs)`, and `apply` of Keras 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..keras_target import brings_keras_3
from ..roles import Role
from ..scopes import Path
from .train_steps import in_train_step

PAIRS, LISTS = "apply_gradients", "apply"
OPTIMIZERS = frozenset({Role.OPTIMIZER, Role.LOSS_SCALE})


def applying(facts: Facts) -> Iterator[ast.Call]:
    """All of them, in the order of the text."""
    yield from (call for call in facts.calls(PAIRS, LISTS) if is_applying(facts, call))


def is_applying(facts: Facts, call: ast.Call) -> bool:
    """Whether a call is one of them."""
    return getattr(call.func, "attr", "") == PAIRS or is_apply(facts, call)


def is_apply(facts: Facts, call: ast.Call) -> bool:
    """Whether it is `optimizer.apply(gradients, variables)` of Keras 3.

    Many libraries have an `apply`: it counts where the receiver is known for an optimizer, and the
    variables are given.
    """
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr != LISTS or not brings_keras_3(facts):
        return False
    if facts.has_hidden_arguments(call) or given_variables(facts, call) is None:
        return False
    return bool(facts.roles(func.value) & OPTIMIZERS) or _is_compiled(facts, call, func.value)


def given_gradients(facts: Facts, call: ast.Call) -> tuple[ast.expr | None, Path]:
    """What carries the gradients, and where in it they are."""
    if is_apply(facts, call):
        return facts.argument(call, "grads", 0), ("each",)
    return facts.argument(call, "grads_and_vars", 0), ("each", 0)


def given_variables(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The variables that an `apply` changes, which it may leave to what it was built with."""
    return facts.argument(call, "trainable_variables", 1)


def _is_compiled(facts: Facts, call: ast.Call, receiver: ast.expr) -> bool:
    """`self.optimizer` in a training step of a model's class."""
    is_models = isinstance(receiver, ast.Attribute) and receiver.attr == "optimizer"
    return is_models and in_train_step(facts, call)
