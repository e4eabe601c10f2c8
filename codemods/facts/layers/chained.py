"""Functional models in which every layer is run on what the one before gave."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ...library.layers import layer
from ...library.loops import INPUTS
from ..reaching import reaching

if TYPE_CHECKING:
    from ..facts import Facts

NO_CHAIN = "its layers are no chain: `{}` is more than a new layer on one tensor"


def is_functional(facts: Facts, call: ast.Call) -> bool:
    """Whether it makes a model of tensors: `Model(inputs, outputs)`."""
    return _argument(facts, call, "outputs", 1) is not None


def calls_back(facts: Facts, call: ast.Call) -> list[tuple[ast.expr, bool]] | str:
    """What makes the layers between the inputs and outputs of a model; why it is none, in words.

    As each layer takes one tensor, and is made where it is called, they are one after another, and
    each of them is run once. True: nobody knows how many of these there are, or where.
    """
    waiting = [_argument(facts, call, "outputs", 1)]
    makers: dict[ast.expr, None] = {}
    is_many = False
    seen: set[ast.expr] = set()
    while waiting:
        expr = waiting.pop()
        if expr is None:
            return NO_CHAIN.format(ast.unparse(call.func))
        if expr in seen:
            continue
        seen.add(expr)
        if isinstance(expr, ast.Name):
            found = reaching(facts, expr)
            is_many = is_many or len(found) != 1
            waiting += (b.part if b.kind == "assign" else None for b in found)  # type: ignore[misc]
        elif isinstance(expr, ast.Call) and _is_layer(facts, expr):
            makers[expr.func] = None
            waiting.append(expr.args[0])
        elif not (isinstance(expr, ast.Call) and facts.name(expr.func) in INPUTS):
            return NO_CHAIN.format(ast.unparse(expr).splitlines()[0])
    return [(maker, is_many) for maker in reversed(makers)]


def _argument(facts: Facts, call: ast.Call, name: str, position: int) -> ast.expr | None:
    found = facts.argument(call, name, position)
    return found if isinstance(found, ast.expr) else None


def _is_layer(facts: Facts, call: ast.Call) -> bool:
    """Whether it is `Dense(64)(x)`."""
    made = call.func
    if not isinstance(made, ast.Call) or len(call.args) != 1 or call.keywords:
        return False
    is_one = not isinstance(call.args[0], (ast.List, ast.Tuple, ast.Starred))
    is_own = facts.classes.local(made.func) is not None
    return is_one and (is_own or layer(facts.name(made.func) or "") is not None)
