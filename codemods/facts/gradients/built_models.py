"""Whether a model has its weights as soon as it is made, as it knows the shape of its inputs.

https://www.tensorflow.org/guide/keras/sequential_model#specifying_the_input_shape_in_advance
"""

from __future__ import annotations

import ast

from ..facts import Facts
from ..holders import held_by
from ..names import KERAS

_BUILT = (f"{KERAS}.models.clone_model", f"{KERAS}.models.load_model")
_SHAPES = ("input_shape", "input_dim", "batch_input_shape")
INPUTS = (f"{KERAS}.Input", f"{KERAS}.layers.Input", f"{KERAS}.layers.InputLayer")


def is_built(facts: Facts, model: ast.expr) -> bool:
    """Whether it has weights wherever it is made, or is given them by `build` or by its layers."""
    made = facts.origins(model).nodes
    if made and all(isinstance(n, ast.Call) and _has_weights(facts, n) for n in made):
        return True
    key = held_by(facts, model)
    return any(held_by(facts, _receiver(call)) == key for call in _builds(facts))


def _receiver(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _builds(facts: Facts) -> list[ast.Call]:
    """`net.build(shape)`, `net.add(Dense(8, input_shape=shape))`."""
    added = [c for c in facts.calls("add") if c.args and _gives_shape(facts, c.args[0])]
    return [*facts.calls("build"), *added]


def _has_weights(facts: Facts, made: ast.Call) -> bool:
    name = facts.name(made.func) or ""
    if name in _BUILT or name.startswith(f"{KERAS}.applications."):
        return True
    if name in (f"{KERAS}.Model", f"{KERAS}.models.Model"):
        return True  # of inputs and outputs
    layers = facts.argument(made, "layers", 0) if name.endswith("Sequential") else None
    elements = layers.elts if isinstance(layers, (ast.List, ast.Tuple)) else []
    return bool(elements) and _gives_shape(facts, elements[0])


def _gives_shape(facts: Facts, layer: ast.expr) -> bool:
    if not isinstance(layer, ast.Call):
        return False
    if (facts.name(layer.func) or "") in INPUTS:
        return True
    return any(keyword.arg in _SHAPES for keyword in layer.keywords)
