"""Optimizers that a training step applies itself: whether they are made in sight of the rules.

A rate is scaled where its optimizer is made (D104), so one that is made elsewhere would be left out
without a word. What `compile` is given is told in `optimizers`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..ingredients import ingredients
from ..roles import Role
from ..training.optimizer_calls import is_applying
from ..training.pattern import Pattern, training_of
from .optimizer_makers import creations

OWN_LOOPS = (Pattern.GRADIENT_TAPE, Pattern.KERAS)


def unseen(facts: Facts) -> Iterator[ast.Call]:
    """The calls of `apply_gradients` and `minimize` whose optimizer may be made elsewhere."""
    for call, pattern in training_of(facts).places:
        if pattern in OWN_LOOPS and _applies(facts, call) and not is_seen(facts, _receiver(call)):
            yield call


def _applies(facts: Facts, call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute)
    if not is_method or not (
        call.func.attr == "minimize" or is_applying(facts, call)  # type: ignore[attr-defined]
    ):
        return False
    return facts.callee(call) is None and not _is_compiled(facts, _receiver(call))


def _receiver(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _is_compiled(facts: Facts, expr: ast.expr) -> bool:
    """`self.optimizer` of a model, which its `compile` was given."""
    if not isinstance(expr, ast.Attribute) or expr.attr != "optimizer":
        return False
    return training_of(facts).is_model(expr.value) and facts.origins(expr).nodes == (expr,)


def is_seen(facts: Facts, expr: ast.expr) -> bool:
    """Whether everything that can be this optimizer is made in this file, or made from one that is.

    A parameter that a caller out of sight may pass as well counts as what the others pass.
    """
    makers = creations(facts, expr)
    certain = [node for node in makers if not isinstance(node, (ast.arg, ast.stmt))]
    if not certain:
        return _is_made_from_one(facts, expr)
    return all(_is_made_from_one(facts, node) for node in certain)


def _is_made_from_one(facts: Facts, node: ast.AST) -> bool:
    return any(_makes_one(facts, part) for part in ingredients(facts, node))


def _makes_one(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER
