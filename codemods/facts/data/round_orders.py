"""Orders that a loop draws for all of an array in each round, and takes slices of.

`order = np.random.permutation(len(x))`, `x[order[i : i + 32]]`, also with a name for the slice.
"""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts

_ORDERS = ("numpy.random.permutation",)


class RoundOrder(NamedTuple):
    """A slice of an order: the call that draws that one, and the names that are looked up by."""

    part: ast.Subscript
    drawn: ast.Call
    names: tuple[ast.Name, ...]


def sliced(facts: Facts, node: ast.AST, loop: ast.stmt) -> ast.AST | None:
    """The slice that is taken of an array, perhaps by an order that the loop draws."""
    if not isinstance(node, ast.Subscript) or _drawn(facts, node.value, loop) is not None:
        return None
    order = _order(facts, node.slice, loop)
    return order.part.slice if order else node.slice if _is_slice(node.slice) else None


def orders_by(facts: Facts, slices: list[ast.Subscript], loop: ast.stmt) -> list[RoundOrder]:
    """The orders by which the loop picks from its arrays."""
    found = (_order(facts, each.slice, loop) for each in slices)
    return [each for each in found if each is not None]


def only_pick(facts: Facts, orders: list[RoundOrder], slices: list[ast.Subscript]) -> bool:
    """Whether orders, and slices of them, are used for nothing but to pick from these arrays."""
    picked = {id(each) for each in slices}
    names = (name for order in orders for name in order.names)
    return all(_only_picks(facts, name, picked) for name in names)


def _only_picks(facts: Facts, name: ast.Name, picked: set[int]) -> bool:
    for use in facts.readers(name):
        parent = facts.parent(use)
        is_part = isinstance(parent, ast.Subscript) and parent.value is use
        is_picking = id(parent) in picked or (is_part and _is_slice(parent.slice))  # type: ignore[union-attr]
        if not is_picking:
            return False
    return True


def _is_slice(index: ast.AST) -> bool:
    """`i : i + 32`, also as the first of several: `i : i + 32, :`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    return isinstance(first, ast.Slice)


def _drawn(facts: Facts, order: ast.AST, loop: ast.stmt) -> ast.Call | None:
    """The call by which the loop draws an order anew in each of its rounds."""
    drawn = _once(facts, order, loop)
    is_drawn = isinstance(drawn, ast.Call) and facts.name(drawn.func) in _ORDERS
    return drawn if is_drawn and len(drawn.args) == 1 else None  # type: ignore[union-attr, return-value]


def _order(facts: Facts, index: ast.expr, loop: ast.stmt) -> RoundOrder | None:
    """The slice of such an order that an index is."""
    part = index if isinstance(index, ast.Subscript) else _once(facts, index, loop)
    if not isinstance(part, ast.Subscript) or not _is_slice(part.slice):
        return None
    drawn = _drawn(facts, part.value, loop)
    names = tuple(node for node in (index, part.value) if isinstance(node, ast.Name))
    return None if drawn is None else RoundOrder(part, drawn, names)


def _once(facts: Facts, name: ast.AST, loop: ast.stmt) -> ast.AST | None:
    """What a name stands for that the loop binds in each round, and nothing else does."""
    bindings = facts.names.bindings(name) if isinstance(name, ast.Name) else []
    is_one = len(bindings) == 1 and bindings[0].kind == "assign" and not bindings[0].path
    value = bindings[0].value if is_one else None
    return value if value is not None and loop in facts.parents(value) else None


def lengths_of(order: RoundOrder) -> list[ast.AST]:
    """What stands in the length for which an order is drawn: `len(x)`."""
    return list(within(order.drawn.args[0]))
