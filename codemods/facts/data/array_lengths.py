"""Expressions that are as long as an array, and cost nothing to evaluate once more."""

from __future__ import annotations

import ast
import re

from ..facts import Facts
from ..names import KERAS
from .arrays import is_array

_SAME_LENGTH = (
    r"numpy\.(?:array|asarray)$|tensorflow\.(?:constant|convert_to_tensor|cast)$|"
    rf"{KERAS}\.(?:utils|preprocessing\.\w+)\.(?:to_categorical|pad_sequences)$"
)


def length_of(facts: Facts, expr: ast.AST) -> ast.expr | None:
    """A plain expression that is as long as the array: evaluating it once more costs nothing."""
    if isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript)):
        return expr if is_plain(expr) else None
    if isinstance(expr, ast.BinOp):
        sides = (e for e in (expr.left, expr.right) if is_plain(e))
        return next((e for e in sides if is_array(facts, e)), None)
    return _of_call(facts, expr) if isinstance(expr, ast.Call) and expr.args else None


def _of_call(facts: Facts, call: ast.Call) -> ast.expr | None:
    """`np.array(x)`, `x.astype(t)`."""
    first = call.args[0]
    if isinstance(first, ast.Name) and re.match(_SAME_LENGTH, facts.name(call.func) or ""):
        return first
    is_cast = isinstance(call.func, ast.Attribute) and call.func.attr == "astype"
    return length_of(facts, call.func.value) if is_cast else None  # type: ignore[attr-defined]


def is_plain(expr: ast.AST) -> bool:
    """Names, attributes and slices of them: no call, nothing that could have an effect."""
    allowed = (
        ast.Name,
        ast.Attribute,
        ast.Subscript,
        ast.Slice,
        ast.Constant,
        ast.UnaryOp,
        ast.expr_context,
    )
    extra = (ast.operator, ast.unaryop, ast.BinOp)
    inside = all(isinstance(node, (*allowed, *extra)) for node in ast.walk(expr))
    return inside and isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript))
