"""The model of which an optimizer is given a part: a layer's variables, some of a list.

What it doesn't train of the model each worker has drawn for itself, so that the whole one has to be
broadcast: the part alone would learn by other features on each worker.
"""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ..facts import Facts
from ..names import KERAS
from ..roles import Role
from .paths import is_path

# What holds everything that the trainable ones are part of.
WHOLE = {"trainable_variables": "variables", "trainable_weights": "weights"}
_LAYERS, _LAYER = "layers", "get_layer"
_LAYER_KINDS = f"{KERAS}.layers."


def whole_model(facts: Facts, expr: ast.expr) -> ast.expr | None:
    """`net` of `net.get_layer("a").trainable_weights`, `net.trainable_variables[-2:]`, a filter."""
    if isinstance(expr, ast.Name):
        value = assigned_alike(facts, expr)
        return None if value is None or isinstance(value, ast.Name) else whole_model(facts, value)
    if isinstance(expr, ast.Subscript):
        return _with_variables(facts, expr.value)
    if isinstance(expr, ast.ListComp):
        return _with_variables(facts, expr.generators[0].iter) if _only_leaves(expr) else None
    if isinstance(expr, ast.Attribute) and expr.attr in WHOLE:
        return _with_layer(facts, expr.value)
    return None


def _with_variables(facts: Facts, expr: ast.expr) -> ast.expr | None:
    """The model whose trainable variables these are, or of whose layer."""
    if not isinstance(expr, ast.Attribute) or expr.attr not in WHOLE:
        return None
    return expr.value if _is_model(facts, expr.value) else _with_layer(facts, expr.value)


def _only_leaves(expr: ast.ListComp) -> bool:
    """Whether it gives elements as they are: `[v for v in variables if …]`."""
    first = expr.generators[0].target
    is_one = len(expr.generators) == 1 and isinstance(first, ast.Name)
    return is_one and isinstance(expr.elt, ast.Name) and expr.elt.id == first.id  # type: ignore[attr-defined]


def _with_layer(facts: Facts, layer: ast.expr) -> ast.expr | None:
    """The model of `net.layers[-1]`, `net.get_layer("a")`, `net.head`, or of a name for these."""
    value = assigned_alike(facts, layer) if isinstance(layer, ast.Name) else layer
    found = _of_elements(facts, layer) if value is None else _asked(facts, value)
    return found if found is not None and _is_model(facts, found) else None


def _of_elements(facts: Facts, layer: ast.expr) -> ast.expr | None:
    """The model whose layers a loop goes over: `for layer, optimizer in groups`."""
    made = facts.origins(layer)
    layers = (node for node in made.nodes if isinstance(node, ast.expr))
    models = [_asked(facts, each) for each in layers] if made.complete else []
    names = [each for each in models if isinstance(each, ast.Name) and _is_bound_once(facts, each)]
    here = facts.scope(layer)
    is_one = len({each.id for each in names}) == 1 and len(names) == len(models)
    are_seen = all(here.find(each.id) is facts.scope(each).find(each.id) for each in names)
    return names[0] if is_one and are_seen else None


def _asked(facts: Facts, layer: ast.expr) -> ast.expr | None:
    """What a layer is asked of, or an attribute of."""
    if isinstance(layer, ast.Call) and isinstance(layer.func, ast.Attribute):
        return layer.func.value if layer.func.attr == _LAYER else None
    if isinstance(layer, ast.Subscript) and isinstance(layer.value, ast.Attribute):
        return layer.value.value if layer.value.attr == _LAYERS else None
    is_kept = isinstance(layer, ast.Attribute) and _is_layer(facts, layer)
    return layer.value if is_kept else None  # type: ignore[attr-defined]


def _is_layer(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is a layer of Keras, which the model that has it keeps an account of."""
    made = facts.origins(expr)
    kinds = [facts.kind(n) or "" if isinstance(n, ast.Call) else "" for n in made.nodes]
    return made.complete and bool(kinds) and all(kind.startswith(_LAYER_KINDS) for kind in kinds)


def _is_model(facts: Facts, expr: ast.expr) -> bool:
    return is_path(expr) and facts.role(expr) is Role.MODEL


def assigned_here(facts: Facts, name: ast.Name) -> ast.expr | None:
    """The value of a name that is bound once, in the function of this use."""
    value = _assigned(facts, name)
    return value if value is not None and facts.function(value) is facts.function(name) else None


def assigned_alike(facts: Facts, name: ast.Name) -> ast.expr | None:
    """The same also of a name around the function, if those in the value mean the same here."""
    value = _assigned(facts, name)
    names = [n for n in within(value) if isinstance(n, ast.Name)] if value is not None else []
    here, there = facts.scope(name), facts.scope(value) if value is not None else None
    if there is None or not all(here.find(n.id) is there.find(n.id) for n in names):
        return None
    return value if all(_is_bound_once(facts, n) for n in names) else None


def _is_bound_once(facts: Facts, name: ast.Name) -> bool:
    return len(facts.names.bindings(name)) == 1


def _assigned(facts: Facts, name: ast.Name) -> ast.expr | None:
    bindings = facts.names.bindings(name)
    if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].path:
        return None
    value = bindings[0].value
    return value if isinstance(value, ast.expr) else None
