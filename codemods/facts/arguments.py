"""What a call is given, by keyword or position."""

from __future__ import annotations

import ast

# The methods that change a variable, and what each calls the value that it gets.
ASSIGNS = {"assign": "value", "assign_add": "delta", "assign_sub": "delta"}


def argument(call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
    """An argument by keyword or position; None when absent (or hidden behind `*args`)."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if position is None or position >= len(call.args):
        return None
    if any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return None
    return call.args[position]


def assigned(call: ast.Call) -> ast.expr | None:
    """The value that one of ASSIGNS is given: `w.assign_sub(0.1 * g)`; None where it is hidden."""
    assert isinstance(call.func, ast.Attribute)
    return argument(call, ASSIGNS[call.func.attr], 0)


def has_hidden_arguments(call: ast.Call) -> bool:
    """Whether `*args` or `**kwargs` may pass what can't be seen."""
    return any(k.arg is None for k in call.keywords) or any(
        isinstance(a, ast.Starred) for a in call.args
    )
