"""Statements by which a loop puts its arrays in a new order in each round.

`order = np.random.permutation(len(x))`, `x = x[order]`; `x, y = shuffle(x, y)`;
`np.random.shuffle(x)`. Each worker does so with its own share.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts

_ORDERS = ("numpy.random.permutation", "numpy.arange")
_SHUFFLES = ("sklearn.utils.shuffle",)
_IN_PLACE = ("numpy.random.shuffle",)


class Reorder(NamedTuple):
    """One of them: the arrays that it reads, what draws, and what says for how many, if told."""

    statement: ast.stmt
    used: tuple[ast.Name, ...]
    draws: tuple[ast.Call, ...]
    number: ast.expr | None = None
    order: ast.expr | None = None


def reorders(facts: Facts, loop: ast.stmt, names: Collection[str]) -> list[Reorder]:
    """Those of the arrays with these names in a loop."""
    statements = (node for node in within(loop) if isinstance(node, (ast.Assign, ast.Expr)))
    found = [each for s in statements for each in _of(facts, s, names)]
    places = (place for each in found for place in (each.statement, *each.draws))
    inside = {id(node) for place in places for node in within(place)}
    return [each for each in found if _is_for_these(facts, each.order, inside)]


def _is_for_these(facts: Facts, order: ast.expr | None, inside: set[int]) -> bool:
    """Whether an order is used for nothing else: other arrays would have to be cut, too."""
    if not isinstance(order, ast.Name):
        return True
    own = facts.names.bindings(order)
    loads = facts.index.loads.get(order.id, ())
    return all(id(use) in inside or facts.names.bindings(use) != own for use in loads)


def _of(
    facts: Facts, statement: ast.Assign | ast.Expr, names: Collection[str]
) -> Iterator[Reorder]:
    value = statement.value
    if isinstance(statement, ast.Expr):
        if isinstance(value, ast.Call) and facts.name(value.func) in _IN_PLACE:
            yield from _shuffled(statement, value, names)
        return
    target = statement.targets[0]
    if len(statement.targets) != 1:
        return
    if isinstance(value, ast.Call) and facts.name(value.func) in _SHUFFLES:
        if [_id(e) for e in getattr(target, "elts", [target])] == [_id(e) for e in value.args]:
            yield from _shuffled(statement, value, names)
        return
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts))
    found = [_picked(facts, statement, *pair, names) for pair in pairs]
    yield from (each for each in found if each is not None)


def _id(expr: ast.expr) -> str | None:
    return expr.id if isinstance(expr, ast.Name) else None


def _shuffled(statement: ast.stmt, call: ast.Call, names: Collection[str]) -> Iterator[Reorder]:
    used = tuple(each for each in call.args if isinstance(each, ast.Name) and each.id in names)
    if used and len(used) == len(call.args):
        yield Reorder(statement, used, (call,))


def _picked(
    facts: Facts,
    statement: ast.stmt,
    target: ast.expr,
    value: ast.expr,
    names: Collection[str],
) -> Reorder | None:
    """`x = x[order]`."""
    if not isinstance(value, ast.Subscript) or not isinstance(value.value, ast.Name):
        return None
    if _id(target) != value.value.id or value.value.id not in names:
        return None
    sources = list(facts.program.sources(value.slice, ()))
    drawn = [n for n in sources if isinstance(n, ast.Call) and facts.name(n.func) in _ORDERS]
    if len(drawn) != 1 or len(drawn[0].args) != 1:
        return None
    order = value.slice
    mixing = [c for c in facts.calls_of(*_IN_PLACE) if [_id(a) for a in c.args] == [_id(order)]]
    return Reorder(statement, (value.value,), (drawn[0], *mixing), drawn[0].args[0], order)
