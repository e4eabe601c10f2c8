"""The domain of scales: how often a number is multiplied by the number of workers."""

from __future__ import annotations

import ast

from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ..horovod import member_of

_MOST = 9  # nothing gets there yet; it ends what a circle adds up


def _join(a: int, b: int) -> int:
    return min(a, b)


def _create(origin: Origin, operands: Operands[int]) -> int:
    if origin.kind is Kind.CALL:
        return int(member_of(origin.name) == "size")
    node = origin.node
    if origin.kind is not Kind.COMPUTED or not isinstance(node, (ast.BinOp, ast.AugAssign)):
        return 0
    values = operands.of(origin, "of")
    if len(values) != 2:
        return 0
    return _combined(node.op, *values)


def _combined(op: ast.operator, left: int, right: int) -> int:
    if isinstance(op, ast.Mult):
        return min(left + right, _MOST)
    if isinstance(op, (ast.Div, ast.FloorDiv)):
        return max(left - right, -_MOST)
    return min(left, right) if isinstance(op, (ast.Add, ast.Sub)) else 0


SCALED: Domain[int] = Domain(_MOST, 0, _join, _create)
