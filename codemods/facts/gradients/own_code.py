"""Code of the program's own that Keras calls with whole batches, and may bring rows together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library import losses
from ...library.words import words
from ..optimizers.compiles import compiles
from ..problems import Problem
from .given_rows import layer_arguments, own_calls
from .loss_kinds import CONST, COUPLED, MEAN, PER_ROW, SUM
from .mean_losses import given_by, losses_of

if TYPE_CHECKING:
    from ..facts import Facts

COUPLES = "this loss couples the rows of a batch: a worker sees only those of its own part"
OWN_ROWS = "nobody can tell whether this code leaves each row of a batch to itself"
OUT = 'or leave `batch = "global"` out: then each worker takes a whole batch'
NAME_IT = "write it with TensorFlow's own functions, row by row, and `tf.reduce_mean` at the end"
APART = NAME_IT.partition(", and")[0]
_CALLABLES = words("activation recurrent_activation function call_method")
# Layers by the position of a function or an axis among their arguments.
_FUNCTION_AT = {"Activation": 0, "Lambda": 0, "Dense": 1, "EinsumDense": 2}
_AXIS_AT = {
    "Softmax": 0, "UnitNormalization": 0, "LayerNormalization": 0, "BatchNormalization": 0,
    "Normalization": 0, "Concatenate": 0, "Dot": 0, "concatenate": 1, "dot": 1,
    "GroupNormalization": 1,
}  # fmt: skip
_AXES = words("axis axes")
_TIME = "time_major"  # of recurrent layers: the rows lie on the second axis


def own_code(facts: Facts) -> Iterator[Problem]:
    """Layers, models and functions of the program's own that may bring rows together."""
    for function in dict.fromkeys(own_calls(facts)):
        node = next(filter(None, map(_returned, ast.walk(function))), None)
        if node is not None:
            yield from together(facts, node, function)
    for call in facts.index.calls:
        yield from _given(facts, call)
        yield from _axes(facts, call)
    yield from _put_later(facts)
    for compiled in compiles(facts):
        model = compiled.call.func.value  # type: ignore[attr-defined]
        if COUPLED in losses_of(facts).kinds(model):
            yield Problem(model, COUPLES, f"{APART}; {OUT}")


def together(facts: Facts, node: ast.expr, function: ast.AST) -> Iterator[Problem]:
    """Why a function that is given rows may bring them together."""
    kinds = given_by(facts, function)
    if not kinds or not kinds <= {*PER_ROW, CONST}:
        why = COUPLES if kinds & {COUPLED, MEAN, SUM} else OWN_ROWS
        yield Problem(node, why, f"{APART}; {OUT}")


def _returned(node: ast.AST) -> ast.expr | None:
    return node.value if isinstance(node, ast.Return) else None


def _given(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    """The functions that a layer is made with."""
    called = list(_called(facts, call))
    for given in (k.value for k in call.keywords if k.arg is None):
        if ".layers." in (facts.name(call.func) or ""):
            yield Problem(given, OWN_ROWS, f"write its arguments into the call; {OUT}")
    for given in layer_arguments(facts, call):
        functions = facts.program.functions(given)
        for each in functions.nodes:
            yield from together(facts, given, each)
        is_all = functions.is_complete if functions.nodes else _is_known(facts, given)
        if (functions.nodes or given in called) and not is_all:
            yield Problem(given, OWN_ROWS, f"{APART}; {OUT}")


def _put_later(facts: Facts) -> Iterator[Problem]:
    """`model.layers[0].activation = f`, `Layer.call = f`."""
    for attribute in ("call", "axis", *sorted(_CALLABLES)):
        for target, _ in facts.index.attribute_stores.get(attribute, ()):
            if not (isinstance(target.value, ast.Name) and target.value.id == "self"):
                yield Problem(target, OWN_ROWS, f"give it where the layer is made; {OUT}")


def _called(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a layer that can only be functions, or the names of some."""
    position = _FUNCTION_AT.get((facts.name(call.func) or "").rpartition(".")[2])
    yield from call.args[position : position + 1] if position is not None else ()
    yield from (k.value for k in call.keywords if k.arg in _CALLABLES)


def _is_known(facts: Facts, given: ast.expr) -> bool:
    """`"relu"`, `None`, `tf.nn.relu`, `tf.keras.activations.gelu`."""
    made = facts.origins(given).only
    if isinstance(made, ast.Constant):
        return True
    name = facts.name(given) or ""
    is_softmax = name in losses.ALONG and name.endswith("softmax")
    return name in losses.ELEMENTWISE or is_softmax or ".activations." in name


def _axes(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    """A layer that works along another axis than the last one, or one behind the rows."""
    name = facts.name(call.func) or ""
    if ".layers." not in name:
        return
    for each in (k.value for k in call.keywords if k.arg == _TIME):
        if not (isinstance(each, ast.Constant) and each.value is False):
            yield Problem(each, COUPLES, f"let the rows come first; {OUT}")
    position = _AXIS_AT.get(name.rpartition(".")[2])
    given = call.args[position : position + 1] if position is not None else []
    for axis in (*given, *(k.value for k in call.keywords if k.arg in _AXES)):
        if not _is_behind(axis):
            yield Problem(axis, COUPLES, f"let it work along the last axis; {OUT}")


def _is_behind(axis: ast.expr) -> bool:
    try:
        found = ast.literal_eval(axis)
    except ValueError:
        return False
    axes = found if isinstance(found, (list, tuple)) else (found,)
    return all(isinstance(each, int) and (each == -1 or each > 0) for each in axes)
