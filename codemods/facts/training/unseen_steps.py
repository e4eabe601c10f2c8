"""Steps of Keras 3 of which nobody sees what they change: no form that averages is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..keras_version import is_keras_3
from .applying import OPTIMIZERS, is_apply

STATELESS = "stateless_apply"  # hands on new values; no variable is changed
_BY_OPTIMIZER = ("apply", "minimize")


def unseen_steps(facts: Facts) -> Iterator[ast.Call]:
    """`optimizer.apply(gradients)` without variables, `minimize`, and steps without state."""
    if not is_keras_3(facts):
        return
    for call in facts.calls(*_BY_OPTIMIZER):
        assert isinstance(call.func, ast.Attribute)
        if facts.roles(call.func.value) & OPTIMIZERS and not is_apply(facts, call):
            yield call
    yield from facts.calls(STATELESS)
