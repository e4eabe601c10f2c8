"""What a function that counts may give: a number that stands there, or one that it has made."""

from __future__ import annotations

import ast

from ..program.node_fields import within

MADE = "made"
_SUM = ast.parse("0 + 0", mode="eval").body  # what `+=` makes


def starts(function: ast.FunctionDef) -> set[str]:
    """What a function may give: MADE, a number that stands there, `name()` of another function.

    Empty where it may be anything else.
    """
    values, found = _values(function), set[str]()
    waiting, seen = ["return"], {"return"}
    while waiting:
        for value in values.get(waiting.pop(), [None]):
            if not isinstance(value, ast.Name):
                found.add(_kind(value))
            elif value.id not in seen:
                seen.add(value.id)
                waiting.append(value.id)
    ends = isinstance(function.body[-1], ast.Return)  # or it may give None
    return found if ends and "" not in found else set()


def _values(function: ast.FunctionDef) -> dict[str, list[ast.expr | None]]:
    """What the variables of a function are bound to, and what it gives; None for what turns are."""
    values: dict[str, list[ast.expr | None]] = {}
    for node in within(function):
        if isinstance(node, ast.Return):
            values.setdefault("return", []).append(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, (ast.AugAssign, ast.For)) and isinstance(node.target, ast.Name):
            is_sum = isinstance(node, ast.AugAssign)
            values.setdefault(node.target.id, []).append(_SUM if is_sum else None)
    return values


def _kind(value: ast.expr | None) -> str:
    if isinstance(value, ast.BinOp):
        return MADE
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return f"{value.func.id}()"
    is_number = isinstance(value, ast.Constant) and type(value.value) in (int, float)
    return repr(value.value) if is_number else ""  # type: ignore[union-attr]
