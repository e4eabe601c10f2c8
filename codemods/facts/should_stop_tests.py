"""Where a monitored session is asked whether its training is over: the same on all workers.

It stops at a step, which all of them take together, or where data of equal lengths ends. So it is
with a supervisor, which stops where the program asks it to.
"""

from __future__ import annotations

import ast

from .facts import Facts
from .roles import Role

_ASKED = (Role.SESSION, Role.SUPERVISOR)


def is_until_stop(facts: Facts, test: ast.expr) -> bool:
    """`not session.should_stop()`: all workers stop at the same step, or where the data ends.

    So they do with further bounds: `not session.should_stop() and step < 100`.
    """
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(is_until_stop(facts, value) for value in test.values)
    is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    return is_not and asks_for_stop(facts, test.operand)  # type: ignore[attr-defined]


def asks_for_stop(facts: Facts, test: ast.expr) -> bool:
    """`session.should_stop()` of a session, or of what supervises one."""
    func = test.func if isinstance(test, ast.Call) else None
    is_asked = isinstance(func, ast.Attribute) and func.attr == "should_stop"
    return is_asked and facts.role(func.value) in _ASKED  # type: ignore[union-attr,operator]
