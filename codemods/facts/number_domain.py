"""The domain of numbers: whether a value is a tensor, an array of NumPy, or Python's own number."""

from __future__ import annotations

import ast
from enum import Enum, auto

from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.origins import Kind, Origin


class Number(Enum):
    """What a value is; of two different ones it is not known, but a literal only begins a sum."""

    NOTHING = auto()
    LITERAL = auto()
    INT = auto()
    FLOAT = auto()
    NUMPY = auto()
    TENSOR = auto()
    UNKNOWN = auto()


_CONVERSIONS = {"builtins.float": Number.FLOAT, "builtins.int": Number.INT}
_METHODS = {"numpy": Number.NUMPY, "result": Number.TENSOR}  # of tensors, of metrics
_WEAK = (Number.NOTHING, Number.LITERAL)
_WIDTHS = (*_WEAK, Number.INT, Number.FLOAT, Number.NUMPY, Number.UNKNOWN, Number.TENSOR)


def _join(a: Number, b: Number) -> Number:
    narrow, wide = sorted((a, b), key=_WIDTHS.index)
    return wide if narrow is wide or narrow in _WEAK else Number.UNKNOWN


def _create(origin: Origin, operands: Operands[Number]) -> Number:
    row = _ROWS.get(origin.kind)
    return Number.UNKNOWN if row is None else row(origin, operands)


def _constant(origin: Origin, operands: Operands[Number]) -> Number:
    value = origin.node.value if isinstance(origin.node, ast.Constant) else None
    return Number.LITERAL if type(value) in (int, float) else Number.UNKNOWN


def _computed(origin: Origin, operands: Operands[Number]) -> Number:
    """An operator gives what its widest operand is: of a tensor and a number, a tensor."""
    node = origin.node
    if not isinstance(node, (ast.BinOp, ast.AugAssign, ast.UnaryOp)):
        return Number.UNKNOWN
    widest = max(operands.of(origin), key=_WIDTHS.index, default=Number.UNKNOWN)
    is_quotient = isinstance(node.op, ast.Div) and widest is Number.INT
    return Number.FLOAT if is_quotient else widest


def _call(origin: Origin, operands: Operands[Number]) -> Number:
    """What a function gives, by its name."""
    call, name = origin.node, normal(origin.name or "")
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        if call.func.attr in _METHODS and not call.args:
            return _METHODS[call.func.attr]
    if name in _CONVERSIONS:
        return _CONVERSIONS[name]
    if name.startswith("numpy."):
        return Number.NUMPY
    return Number.TENSOR if name.startswith("tensorflow.") else Number.UNKNOWN


_ROWS = {Kind.CONSTANT: _constant, Kind.COMPUTED: _computed, Kind.CALL: _call}
NUMBER: Domain[Number] = Domain(Number.NOTHING, Number.UNKNOWN, _join, _create)
