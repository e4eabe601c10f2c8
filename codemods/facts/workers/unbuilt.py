"""Models of Keras that have no variables yet: their layers are made when they see a shape."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..names import KERAS
from ..roles import Role
from ..scopes import FunctionNode

_SEQUENTIAL = re.compile(rf"{KERAS}\.(?:models\.)?Sequential$")
_LAYER = f"{KERAS}.layers."
_SHAPES = ("input_shape", "batch_input_shape", "input_dim", "batch_shape", "input_length")
_PASSIVE = ("compile", "variables", "trainable_variables", "weights", "trainable_weights")
_DEFINITIONS = (*FunctionNode, ast.ClassDef, ast.Lambda)


def is_unbuilt_at(facts: Facts, model: ast.expr, place: ast.Call) -> bool:
    """Whether a model has no variables there, as nothing has come to it since it was made."""
    made = facts.origins(model).only
    if not isinstance(made, ast.Call) or facts.function(made) is not facts.function(place):
        return False
    return _has_no_shape(facts, made) and _is_untouched(facts, model, made, place)


def _has_no_shape(facts: Facts, made: ast.Call) -> bool:
    if _SEQUENTIAL.match(facts.name(made.func) or ""):
        layers = made.args[0] if made.args else None
        return isinstance(layers, ast.List) and all(_is_open(facts, e) for e in layers.elts)
    cls = facts.classes.local(made.func)
    if cls is None or facts.role_of_class(cls) is not Role.MODEL:
        return False
    init = facts.classes.method(cls, "__init__")
    calls = [n for n in within(init) if isinstance(n, ast.Call)] if init is not None else []
    return bool(calls) and all(_is_of_init(facts, call) for call in calls)


def _is_open(facts: Facts, layer: ast.expr) -> bool:
    """Whether it is a layer that isn't told what it will be given."""
    name = facts.name(layer.func) if isinstance(layer, ast.Call) else None
    is_layer = (name or "").startswith(_LAYER) and not (name or "").endswith(
        ("Input", "InputLayer")
    )
    return is_layer and not any(k.arg in _SHAPES for k in layer.keywords)  # type: ignore[attr-defined]


def _is_of_init(facts: Facts, call: ast.Call) -> bool:
    """`super().__init__()`, a layer."""
    is_super = ast.unparse(call.func).startswith("super(") or ast.unparse(call.func) == "super"
    return is_super or _is_open(facts, call)


def _is_untouched(facts: Facts, model: ast.expr, made: ast.Call, place: ast.Call) -> bool:
    """Whether nothing between the two calls uses the model, or calls a function that may do so."""
    between = list(_between(facts, made, place))
    if not between or any(_runs_own(facts, node) for node in between):
        return False
    text = ast.unparse(model)
    uses = (node for node in between if isinstance(node, type(model)) and ast.unparse(node) == text)
    return all(_is_passive(facts, use) for use in uses)


def _between(facts: Facts, made: ast.Call, place: ast.Call) -> Iterator[ast.AST]:
    """What stands between two calls, of which the first is in a block around the second.

    In a loop only where an `if` leaves later rounds out.
    """
    first, inside = facts.statement(made), {place, *facts.parents(place)}
    block, number = facts.block(first)
    last = next((s for s in block[number + 1 :] if s in inside), None)
    if last is None or (isinstance(last, (ast.For, ast.While)) and not _is_once(facts, place)):
        return
    yield place
    for statement in block[number + 1 : block.index(last) + 1]:
        for node in within(statement):
            if _stands_before(node, place) and not _is_defined(facts, node, statement):
                yield node


def _is_once(facts: Facts, place: ast.Call) -> bool:
    """Whether the round is asked for: `step == 0`, `not done`, `first`."""
    holder = facts.parent(facts.statement(place))
    test = holder.test if isinstance(holder, ast.If) else None
    if isinstance(test, ast.Compare):
        return isinstance(test.ops[0], ast.Eq) and ast.unparse(test.comparators[0]) == "0"
    is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    return isinstance(test, ast.Name) or is_not


def _stands_before(node: ast.AST, place: ast.Call) -> bool:
    line = getattr(node, "lineno", None)
    return line is not None and (line, node.col_offset) < (place.lineno, place.col_offset)  # type: ignore[attr-defined]


def _is_defined(facts: Facts, node: ast.AST, until: ast.stmt) -> bool:
    """Whether it stands in the body of a function, which is not run here."""
    if isinstance(until, _DEFINITIONS):
        return True
    return any(isinstance(p, _DEFINITIONS) for p in _up_to(facts, node, until))


def _up_to(facts: Facts, node: ast.AST, until: ast.stmt) -> Iterator[ast.AST]:
    for parent in facts.parents(node):
        if parent is until:
            return
        yield parent


def _runs_own(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(facts.program.functions(node.func).nodes)


def _is_passive(facts: Facts, use: ast.AST) -> bool:
    """`model.compile(…)`, `model.variables`, `Checkpoint(model=model)`."""
    parent = facts.parent(use)
    if isinstance(parent, ast.Attribute):
        return parent.attr in _PASSIVE
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and facts.made_by(call) is Role.CHECKPOINT
