"""Values and derivatives a second way, which shares nothing with the machine but the programs.

Direct style, Python's own recursion, forward mode by dual numbers (the seed's overloading).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from checkpointing.language import Apply, Binary, Constant, Expression, If, Lambda, Unary, Variable
from checkpointing.operations import OF_ONE, OF_TWO


class Dual(NamedTuple):
    """A number and its derivative."""

    value: float
    slope: float


def evaluate(e: Expression, names: dict[str, Any]) -> Any:
    """The value: a Dual, a pair, a truth value or a Python function."""
    if isinstance(e, Constant):
        return Dual(e.value, 0.0)
    if isinstance(e, Variable):
        return names[e.name]
    if isinstance(e, Lambda):
        return lambda value: evaluate(e.body, {**names, e.name: value})
    if isinstance(e, Apply):
        return evaluate(e.function, names)(evaluate(e.argument, names))
    if isinstance(e, If):
        return evaluate(e.no if evaluate(e.test, names) is False else e.yes, names)
    if isinstance(e, Unary):
        return _one(e.operator, evaluate(e.operand, names))
    assert isinstance(e, Binary)
    return _two(e.operator, evaluate(e.left, names), evaluate(e.right, names))


def _one(operator: str, x: Any) -> Any:
    if operator in ("car", "cdr"):
        return x[operator == "cdr"]
    function, slope = OF_ONE[operator]
    return Dual(function(x.value), slope(x.value) * x.slope)


def _two(operator: str, x: Any, y: Any) -> Any:
    if operator == "cons":
        return x, y
    if operator == "<":
        return x.value < y.value
    function, left, right = OF_TWO[operator]
    slope = left(x.value, y.value) * x.slope + right(x.value, y.value) * y.slope
    return Dual(function(x.value, y.value), slope)
