"""Expressions that are as long as an array, and cost nothing to evaluate once more."""

from __future__ import annotations

import ast
import re

from ..facts import Facts
from ..names import KERAS
from .arrays import is_array

_SAME_LENGTH = re.compile(
    r"numpy\.(?:array|asarray)$|tensorflow\.(?:constant|convert_to_tensor|cast)$|"
    rf"{KERAS}\.(?:utils|preprocessing\.\w+)\.(?:to_categorical|pad_sequences)$"
)


def length_of(facts: Facts, expr: ast.AST) -> ast.expr | None:
    """A plain expression that is as long as the array: evaluating it once more costs nothing."""
    if isinstance(expr, (ast.Name, ast.Attribute)):
        return expr if is_plain(expr) else None
    if isinstance(expr, ast.Subscript):
        return expr if is_plain(expr) else None
    if isinstance(expr, ast.BinOp):
        return next(
            (e for e in (expr.left, expr.right) if is_plain(e) and is_array(facts, e)), None
        )
    if isinstance(expr, ast.Call) and expr.args:
        name = facts.name(expr.func)
        if name is not None and _SAME_LENGTH.match(name) and isinstance(expr.args[0], ast.Name):
            return expr.args[0]
        if isinstance(expr.func, ast.Attribute) and expr.func.attr == "astype":
            return length_of(facts, expr.func.value)
    return None


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
