"""The domain of masks: whether an index says by a comparison which elements are kept."""

from __future__ import annotations

import ast
from enum import IntEnum

from ...library.names import normal
from ...program.core import SLICE
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ...program.records import NamedTuple


class Mask(IntEnum):
    """What an index is; the larger one wins where values meet."""

    NOTHING = 0
    OTHER = 1
    NUMBERS = 2  # the numbers of what a mask keeps, in a tuple: `np.where(mask)`
    MASK = 3


class _Names(NamedTuple):
    """Functions and methods by what they make of a mask."""

    functions: frozenset[str]
    methods: frozenset[str]


def _of(functions: dict[str, str], methods: str) -> _Names:
    found = (f"{module}.{name}" for module, names in functions.items() for name in names.split())
    return _Names(frozenset(found), frozenset(methods.split()))


_PICKING = _of(
    {"numpy": "where nonzero flatnonzero argwhere", "tensorflow": "where"},
    "nonzero",
)
_CARRYING = _of(
    {
        "numpy": "array asarray asanyarray logical_and logical_or logical_not logical_xor invert "
        "bitwise_and bitwise_or ravel squeeze reshape tile repeat concatenate",
        "tensorflow": "logical_and logical_or logical_not squeeze reshape tile repeat constant "
        "convert_to_tensor cast identity",
        "tensorflow.math": "logical_and logical_or logical_not logical_xor",
        "pandas": "array Series",
    },
    "astype copy flatten numpy ravel repeat reshape squeeze to_list to_numpy tolist",
)
_OPERATORS = (ast.BinOp, ast.AugAssign, ast.UnaryOp)
_PARTS = frozenset(["values", "T", "loc", "iloc"])


def _join(a: Mask, b: Mask) -> Mask:
    return max(a, b)


def _highest(values: list[Mask]) -> Mask:
    return max(values, default=Mask.OTHER) or Mask.OTHER


def _create(origin: Origin, operands: Operands[Mask]) -> Mask:
    if origin.kind is Kind.COMPUTED:
        return _computed(origin, operands)
    if origin.kind is Kind.THING:  # `(mask, 0)`
        return _highest(operands.of(origin))
    if isinstance(origin.node, ast.Call) and origin.kind in (Kind.CALL, Kind.UNKNOWN):
        return _call(origin, origin.node, operands)
    return _part(origin.name, _highest(operands.of(origin, "of")))


def _computed(origin: Origin, operands: Operands[Mask]) -> Mask:
    if isinstance(origin.node, ast.Compare):
        return Mask.MASK
    return _highest(operands.of(origin)) if isinstance(origin.node, _OPERATORS) else Mask.OTHER


def _call(origin: Origin, call: ast.Call, operands: Operands[Mask]) -> Mask:
    """`np.where(mask)`, `np.logical_not(mask)`, `mask.astype(int)`, `drawn.astype(bool)`."""
    name = None if origin.name is None else normal(origin.name)
    method = getattr(call.func, "attr", "") if name is None else ""
    labels = [label for label, _ in origin.operands if label != "func"]
    given = _highest(operands.of(origin, *labels)) if labels else Mask.OTHER
    if method == "astype" and any(getattr(a, "id", "") == "bool" for a in call.args):
        return Mask.MASK
    if name in _PICKING.functions or method in _PICKING.methods:  # `where(mask, a, b)` picks none
        return min(given, Mask.NUMBERS) if len(call.args) < 2 else Mask.OTHER
    is_carried = name in _CARRYING.functions or method in _CARRYING.methods
    return given if is_carried else Mask.OTHER


def _part(step: object, whole: Mask) -> Mask:
    """An element of an array of numbers picks one example; a part of a mask is one."""
    is_attribute = isinstance(step, tuple) and step[0] == "."
    if step == SLICE or (is_attribute and step[1] in _PARTS):  # type: ignore[index]
        return whole
    return Mask.MASK if whole is Mask.NUMBERS and not is_attribute else Mask.OTHER


MASK: Domain[Mask] = Domain(Mask.NOTHING, Mask.OTHER, _join, _create, suppose=_create)
