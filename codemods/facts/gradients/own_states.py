"""State that a worker computes from its own batches, and its model learns by.

A codebook that follows the means of what is assigned to it, centers of classes: gradients are
averaged, but they are those of other codebooks. BatchNorm's moving statistics are no such state:
the training doesn't read them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...library.names import normal
from ...program.node_fields import within
from ..arguments import ASSIGNS, assigned
from ..facts import Facts
from ..flow import GRADIENT
from ..roles import Role
from ..scopes import FunctionNode
from .changed_alone import is_own, is_same

_FORWARD = ("call", "__call__")
_VARIABLE = "tensorflow.Variable"


def own_states(facts: Facts) -> Iterator[ast.Call]:
    """The calls that assign such a state."""
    for call in facts.calls(*ASSIGNS):
        value = assigned(call)
        if value is not None and (_in_layer(facts, call) or _in_loss(facts, call)):
            if any(_is_of_batch(facts, node) for node in _way(facts, value)):
                yield call


def _way(facts: Facts, value: ast.expr) -> Iterator[ast.AST]:
    """What it is computed from, up to a batch, and variables, which all workers begin alike."""
    return facts.program.sources(value, (), partial(_is_end, facts))


def _is_end(facts: Facts, node: ast.AST) -> bool:
    is_variable = isinstance(node, ast.Call) and normal(facts.name(node.func) or "") == _VARIABLE
    return is_variable or _is_of_batch(facts, node) or is_same(facts, node)


def _is_of_batch(facts: Facts, node: ast.AST) -> bool:
    """What a layer is called with, or a model says; an example of a dataset."""
    if isinstance(node, ast.arg):
        function = facts.function(node)
        return isinstance(function, FunctionNode) and _is_forward(facts, function)
    return is_own(facts, node)


def _in_layer(facts: Facts, call: ast.Call) -> bool:
    """Whether the call of a layer assigns it, and reads it for what it gives, too."""
    function = facts.function(call)
    if not isinstance(function, FunctionNode) or not _is_forward(facts, function):
        return False
    given = [n.value for n in within(function) if isinstance(n, ast.Return) and n.value is not None]
    return any(_reads(facts, value, call) for value in given)


def _reads(facts: Facts, value: ast.expr, assigns: ast.Call) -> bool:
    target = ast.unparse(assigns.func.value)  # type: ignore[attr-defined]

    def is_read(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and ast.unparse(node) == target

    made = facts.program.ingredients(value, is_read)  # what is put into it reads it, too
    return any(is_read(node) and _meets(facts, node, assigns) for node in made)


def _meets(facts: Facts, read: ast.AST, assigns: ast.Call) -> bool:
    """Whether a read isn't only for the other mode, as BatchNorm's of its moving statistics."""
    child = read
    for parent in facts.parents(read):
        if isinstance(parent, (ast.If, ast.IfExp)) and _asks_mode(parent.test):
            branch = parent.body if _is_in(child, parent.body) else parent.orelse
            if not _is_in(assigns, branch):
                return False
        child = parent
    return True


def _is_in(node: ast.AST, branch: ast.expr | list[ast.stmt]) -> bool:
    parts = branch if isinstance(branch, list) else [branch]
    return any(node is part or node in within(part) for part in parts)


def _asks_mode(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "training" for node in ast.walk(test))


def _is_forward(facts: Facts, function: ast.AST) -> bool:
    return getattr(function, "name", "") in _FORWARD and facts.cls(function) is not None


def _in_loss(facts: Facts, call: ast.Call) -> bool:
    """Whether a gradient is asked of a loss that the assigned variable is in."""
    made = set(facts.origins(call.func.value).nodes)  # type: ignore[attr-defined]
    for gradient in facts.calls(*GRADIENT) if made else ():
        loss = facts.argument(gradient, "target", 0)
        is_of_tape = Role.TAPE in facts.roles(gradient.func.value)  # type: ignore[attr-defined]
        if is_of_tape and loss is not None and made & set(facts.program.ingredients(loss)):
            return True
    return False
