"""Loops that hand a tensor from one layer to the next.

for block in self.blocks:
    x = block(x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..scopes import FunctionNode
from .layer_calls import Problem

if TYPE_CHECKING:
    from ..facts import Facts

RECOMPUTES = "tensorflow.recompute_grad"
CALLS = ("call", "__call__")
FUNCTION = "tensorflow.function"
KERAS = ("tensorflow.keras.layers.Layer", "tensorflow.keras.Model")


class LayerLoop(NamedTuple):
    """A loop; `training` is what its layers get under that name, `wrong` what C04 refuses."""

    node: ast.For
    layers: ast.expr
    carried: str
    training: ast.expr | None = None
    wrong: str = ""
    more: str = ""  # what the layers get besides
    is_told: bool = False  # whether Keras tells the function around by `training` if it trains
    repaired: tuple[Problem, ...] = ()  # what would not be the same in every run


FORM = "more than handing one tensor from layer to layer happens in this loop"
USED = "the layer that this loop ran last is used behind it"


def layer_loops(facts: Facts) -> Iterator[LayerLoop]:
    """Every loop in which a called element gets what the call before it gave."""
    if is_decided(facts):
        return
    for node in facts.index.nodes(ast.For):
        if isinstance(node.target, ast.Name):
            carried = _carried(node, node.target.id)
            if carried is not None:
                yield _loop(facts, node, node.target.id, carried)


def is_decided(facts: Facts) -> bool:
    """Whether somebody has decided already what is kept."""
    return any(facts.name(node) == RECOMPUTES for node in _reads(facts, "recompute_grad"))


def is_compiled(facts: Facts) -> bool:
    """Whether a graph may be made of the layers: by `tf.function`, or by Keras."""
    is_function = any(
        facts.name(node) == FUNCTION for node in facts.index.loads.get("function", ())
    )
    return is_function or any(facts.calls("compile", "fit", "fit_generator", "train_on_batch"))


def _reads(facts: Facts, name: str) -> list[ast.AST]:
    return facts.index.loads.get(name, [])


def _carried(node: ast.For, element: str) -> str | None:
    """The name that a call of the element reads and the loop binds."""
    parts = [part for statement in node.body for part in within(statement)]
    bound = {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}
    for part in parts:
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            given = [a.id for a in part.args if isinstance(a, ast.Name) and a.id in bound]
            if part.func.id == element and given:
                return given[0]
    return None


def _loop(facts: Facts, node: ast.For, element: str, carried: str) -> LayerLoop:
    loop = LayerLoop(node, node.iter, carried)
    call = _only_call(node, element, carried)
    if call is None:
        return loop._replace(wrong=FORM)
    if _is_used_behind(facts, node, element):
        return loop._replace(wrong=USED)
    if not isinstance(node.iter, (ast.Name, ast.Attribute)):
        return loop._replace(wrong=FORM)
    more = [k for k in call.keywords if not is_training(facts, k)]
    if more or len(call.args) != 1:
        return loop._replace(more=", ".join(map(ast.unparse, [*call.args[1:], *more])))
    return loop._replace(training=next((k.value for k in call.keywords), None))


def _only_call(node: ast.For, element: str, carried: str) -> ast.Call | None:
    """The call of `carried = element(carried, …)`, if the loop is nothing else."""
    if len(node.body) != 1 or node.orelse:
        return None
    statement = node.body[0]
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, call = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or target.id != carried or not isinstance(call, ast.Call):
        return None
    first = call.args[0] if call.args else None
    is_chain = isinstance(first, ast.Name) and first.id == carried
    is_called = isinstance(call.func, ast.Name) and call.func.id == element
    return call if is_chain and is_called and element != carried else None


def is_training(facts: Facts, keyword: ast.keyword) -> bool:
    """`training=training` with the parameter of the function around, or a constant."""
    if keyword.arg != "training":
        return False
    if isinstance(keyword.value, ast.Constant):
        return True
    bindings = facts.names.bindings(keyword.value)
    return len(bindings) == 1 and bindings[0].kind == "param"


def _is_used_behind(facts: Facts, node: ast.For, element: str) -> bool:
    """Whether the element's name is read where this loop may have bound it."""
    bindings = facts.names.bindings(node.body[0].value.func)  # type: ignore[attr-defined]
    for use in _reads(facts, element):
        if isinstance(use, ast.Name) and node not in facts.parents(use):
            if facts.names.bindings(use) == bindings and not _has_own_loop(facts, use, element):
                return True
    return False


def _has_own_loop(facts: Facts, use: ast.AST, element: str) -> bool:
    """Whether the name is that of another loop around."""
    return any(
        isinstance(p, ast.For) and isinstance(p.target, ast.Name) and p.target.id == element
        for p in facts.parents(use)
    )


def home(facts: Facts, loop: ast.stmt) -> ast.ClassDef | None:
    """The class whose `call` or `__call__` holds the loop."""
    function = facts.function(loop)
    is_call = isinstance(function, FunctionNode) and function.name in CALLS
    return facts.classes.method_of(function) if is_call and function is not None else None


def tells_training(facts: Facts, loop: ast.stmt) -> bool:
    """Whether Keras tells what holds the loop if it trains: the `training` of a `call`."""
    cls, function = home(facts, loop), facts.function(loop)
    bases = () if cls is None else facts.classes.library_bases(cls)
    if not set(bases) & set(KERAS) or not isinstance(function, FunctionNode):
        return False
    own = facts.index.scopes[function].bindings.get("training", ())
    return function.name == "call" and [binding.kind for binding in own] == ["param"]
