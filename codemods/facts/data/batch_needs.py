"""Models that depend on which batches they get: state from one to the next, or one fixed size."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..names import KERAS


def order_matters(facts: Facts) -> bool:
    """Whether a layer keeps its state from batch to batch (`stateful=True`)."""
    return any(
        keyword.arg == "stateful" and not _is_constant(keyword.value, False)
        for call in facts.index.calls
        for keyword in call.keywords
    )


def size_is_fixed(facts: Facts) -> bool:
    """Whether the model only takes batches of one size, which a share may not divide into."""
    return any(map(_fixes_size, _layers(facts)))


def _layers(facts: Facts) -> list[ast.Call]:
    names = (f"{KERAS}.layers.", f"{KERAS}.Input")
    return [c for c in facts.index.calls if (facts.name(c.func) or "").startswith(names)]


def _fixes_size(layer: ast.Call) -> bool:
    for keyword in layer.keywords:
        if keyword.arg == "batch_size" and not _is_constant(keyword.value, None):
            return True
        if keyword.arg in ("batch_input_shape", "batch_shape"):
            shape = keyword.value
            sizes = shape.elts[:1] if isinstance(shape, (ast.Tuple, ast.List)) else [shape]
            return not all(_is_constant(size, None) for size in sizes)
    return False


def _is_constant(expr: ast.expr, value: object) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is value
