"""What a tape is asked to differentiate by: Horovod's tape takes a flat list of variables only."""

from __future__ import annotations

import ast
from enum import Enum

from ..facts import Facts

VARIABLES = (
    "trainable_variables",
    "trainable_weights",
    "variables",
    "weights",
    "non_trainable_variables",
)


class Sources(Enum):
    """The shape of the second argument of `tape.gradient`."""

    VARIABLES = "the variables of models"
    LIST = "a flat list"
    SINGLE = "one variable"
    NESTED = "lists inside of lists, or a dictionary"


def sources_of(facts: Facts, call: ast.Call) -> Sources:
    """The shape of the sources; a name that nothing is known of is taken for a list."""
    given = facts.argument(call, "sources", 1)
    return Sources.LIST if given is None else _shape(facts, given, frozenset())


def _shape(facts: Facts, expr: ast.AST, seen: frozenset[ast.AST]) -> Sources:
    """The shape of the variables; `seen` are the names on the way (`x = x + y`)."""
    if isinstance(expr, ast.Attribute) and expr.attr in VARIABLES:
        return Sources.VARIABLES
    if isinstance(expr, ast.BinOp):
        sides = {_shape(facts, expr.left, seen), _shape(facts, expr.right, seen)}
        return Sources.VARIABLES if sides == {Sources.VARIABLES} else Sources.LIST
    if isinstance(expr, (ast.List, ast.Tuple)):
        nested = any(_is_list(facts, element, seen) for element in expr.elts)
        return Sources.NESTED if nested else Sources.LIST
    if isinstance(expr, (ast.Dict, ast.DictComp)):
        return Sources.NESTED
    if isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript)):
        return Sources.LIST if expr in seen else _named(facts, expr, seen | {expr})
    if isinstance(expr, ast.Call) and _is_variable(facts, expr):
        return Sources.SINGLE
    return Sources.LIST


def _named(facts: Facts, expr: ast.AST, seen: frozenset[ast.AST]) -> Sources:
    shapes = set()
    for item in facts.origins(expr).items:
        if isinstance(expr, ast.Name) and item.node is expr:
            return Sources.LIST
        if not item.path and item.node is not expr:
            shapes.add(_shape(facts, item.node, seen))
    return shapes.pop() if len(shapes) == 1 else Sources.LIST


def _is_list(facts: Facts, element: ast.AST, seen: frozenset[ast.AST]) -> bool:
    if isinstance(element, ast.Starred):
        return False
    if isinstance(element, (ast.List, ast.Tuple, ast.Dict)):
        return True
    if isinstance(element, ast.Attribute) and element.attr in VARIABLES:
        return True
    nodes = facts.origins(element).nodes if isinstance(element, (ast.Name, ast.Attribute)) else ()
    return any(
        n is not element and _shape(facts, n, seen) in (Sources.VARIABLES, Sources.NESTED)
        for n in nodes
    ) or any(isinstance(n, (ast.List, ast.Tuple)) for n in nodes)


def _is_variable(facts: Facts, call: ast.Call) -> bool:
    return facts.name(call.func) in (
        "tensorflow.Variable",
        "tensorflow.constant",
        "tensorflow.convert_to_tensor",
    )
