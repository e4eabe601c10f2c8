"""What values are, seen as losses, and what operators make of two of them."""

from __future__ import annotations

import ast
from itertools import product
from typing import Callable

Kinds = frozenset[str]
NOTHING: Kinds = frozenset()
# No rows: weights, numbers. A tensor of rows with more axes behind; one of which that isn't known.
CONST, ROWS, TERMS = "constant", "rows", "terms"
VECTOR = "one number of each row"  # of which it is known that it has no other axis
OWN = "rows of its own"  # what isn't shared out, and may have a row of each example
MEAN, SUM, DIVIDED, COUNT = "mean", "sum", "divided", "count"
MASKED, COUPLED, UNKNOWN = "masked", "coupled", "unknown"
SHAPE, NET = "shape", "net"
INDEXED = "indexed"  # a part of rows; which one is told by the index, where it stands
# Of Keras: an instance by what it makes of its terms, and a function that gives these.
LOSS_OF_MEANS, LOSS_OF_SUMS, LOSS_OF_TERMS = "loss of means", "loss of sums", "loss of terms"
FUNCTION = "function of terms"
CALLED = frozenset({LOSS_OF_MEANS, LOSS_OF_SUMS, LOSS_OF_TERMS, FUNCTION})
BAD = (UNKNOWN, COUPLED, MASKED)
PER_ROW = (ROWS, TERMS, VECTOR)


def binary(op: ast.operator, left: Kinds, right: Kinds) -> Kinds:
    """What an operator gives, of what its two sides may be."""
    row = _OPERATORS.get(type(op), joint)
    return frozenset(row(a, b) for a, b in product(left, right))


def _worst(a: str, b: str) -> str:
    return next(kind for kind in BAD if kind in (a, b))


def joint(a: str, b: str) -> str:
    """Of an operator by which nothing goes through unchanged."""
    if a in BAD or b in BAD:
        return _worst(a, b)
    if {a, b} <= {CONST, COUNT}:
        return UNKNOWN if COUNT in (a, b) else CONST  # only by itself it makes a mean of a sum
    if {a, b} <= {CONST, *PER_ROW}:
        return _rows(a, b)
    if OWN in (a, b):
        return OWN if {a, b} <= {CONST, OWN} else UNKNOWN
    return UNKNOWN if {a, b} & {SHAPE, NET} else COUPLED


def _rows(a: str, b: str) -> str:
    """`[n, 1] - [n]` is `[n, n]`: each row meets all others."""
    if {a, b} == {ROWS, VECTOR}:
        return COUPLED
    if ROWS in (a, b):
        return ROWS
    return VECTOR if VECTOR in (a, b) and TERMS not in (a, b) else TERMS


def _sum(a: str, b: str) -> str:
    scalars = {CONST, MEAN, SUM, DIVIDED}
    if {a, b} <= scalars and {a, b} != {CONST}:
        return next(kind for kind in (SUM, DIVIDED, MEAN) if kind in (a, b))
    return joint(a, b)


def _product(a: str, b: str) -> str:
    for one, other in ((a, b), (b, a)):
        if one == CONST and other in (MEAN, SUM, DIVIDED):
            return other
    return joint(a, b)


def _quotient(a: str, b: str) -> str:
    if b == CONST and a in (MEAN, SUM, DIVIDED):
        return DIVIDED if a == SUM else a
    if a == SUM and b == COUNT:
        return MEAN
    if a in (SUM, DIVIDED, MEAN) and b in (SUM, DIVIDED, MEAN):
        return MASKED
    return joint(a, b)


def _matrix(a: str, b: str) -> str:
    if a in BAD or b in BAD:
        return _worst(a, b)
    if a in (ROWS, TERMS) and b in (CONST, OWN):
        return ROWS
    if {a, b} <= {CONST, OWN}:
        return OWN if OWN in (a, b) else CONST
    return COUPLED


_OPERATORS: dict[type[ast.operator], Callable[[str, str], str]] = {
    ast.Add: _sum,
    ast.Sub: _sum,
    ast.Mult: _product,
    ast.Div: _quotient,
    ast.MatMult: _matrix,
}


def mixed(values: list[Kinds]) -> Kinds:
    """Of several values, element by element."""
    found = frozenset({CONST})
    for kinds in values:
        found = frozenset(joint(a, b) for a, b in product(found, kinds))
    return found
