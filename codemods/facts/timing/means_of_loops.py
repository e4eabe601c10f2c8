"""Numbers by which sums over the rounds of a loop are divided, though it has fewer rounds now.

Rule D106 and D107: `total += loss` over a share of the batches, and `total / steps` of all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..data.arrays import is_size
from ..data.divided import divided
from ..data.steps import is_shorter
from ..facts import Facts
from ..steps.rounds import stepping_loops
from ..steps.units import WHOLE
from ..value_parts import ingredients
from .mistimed import units_of

_NUMBERS = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.BinOp, ast.Call)


def fixed_divisors(facts: Facts) -> Iterator[ast.expr]:
    """They stand in what is added up, or below the sum behind the loop."""
    units = units_of(facts) if is_shorter(facts) else None
    for loop in _loops(facts):
        sums = _sums(loop)
        for number in (*_inside(facts, sums), *_behind(facts, loop, sums)):
            if units is not None and units.of(number).powers == WHOLE:
                yield from [number] if _is_fixed(facts, number, loop) else []


def _loops(facts: Facts) -> list[ast.For]:
    return [loop for loop in stepping_loops(facts) if isinstance(loop, ast.For)]


def own_rounds(facts: Facts) -> Iterator[ast.expr]:
    """Where a sum is divided, behind its loop, by the very number that ends that: `total / steps`.

    Nothing else binds the name, so that it is as many rounds as the loop is to have. So is a number
    that is written out there and here, and one that is reckoned from how long the data is.
    """
    counted = [expr for expr, _ in divided(facts) if isinstance(expr, ast.Name)]
    written = {ast.unparse(expr) for expr, _ in divided(facts) if _is_constant(expr)}
    for each in fixed_divisors(facts):
        if ast.unparse(each) in written or _is_length(facts, each):
            yield each
    for loop in _loops(facts):
        heads = {n.id for n in within(loop.iter) if isinstance(n, ast.Name) and n in counted}
        for number in _behind(facts, loop, _sums(loop)):
            is_count = isinstance(number, ast.Name) and number.id in heads
            if is_count and number not in counted and len(facts.names.bindings(number)) == 1:
                yield number


class Sum(NamedTuple):
    """What a loop adds up: `total += loss`, `total = total + loss`."""

    target: ast.expr
    value: ast.expr


def _sums(loop: ast.For) -> list[Sum]:
    """The sums of a loop, but what counts its rounds."""
    found = (_sum(node) for node in within(loop))
    return [each for each in found if each is not None and not _is_constant(each.value)]


def _sum(node: ast.AST) -> Sum | None:
    if isinstance(node, ast.AugAssign):
        return Sum(node.target, node.value) if isinstance(node.op, ast.Add) else None
    value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return None
    target: ast.expr = node.targets[0]  # type: ignore[attr-defined]
    same = [ast.unparse(side) == ast.unparse(target) for side in (value.left, value.right)]
    other = value.right if same[0] else value.left
    return Sum(target, other) if any(same) else None


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant)


def _inside(facts: Facts, sums: list[Sum]) -> Iterator[ast.expr]:
    """`n` of `total += loss * batch / n`; what is divided by a batch's size is the mean of it."""
    for add in sums:
        parts = [node for node in within(add.value) if isinstance(node, ast.BinOp)]
        is_weighted = any(isinstance(part.op, ast.Mult) for part in parts)
        for part in parts:
            if isinstance(part.op, ast.Div) and (is_weighted or _is_length(facts, part.right)):
                yield part.right


def _is_length(facts: Facts, number: ast.expr) -> bool:
    return any(is_size(facts, node) for node in ingredients(facts, number))


def _behind(facts: Facts, loop: ast.For, sums: list[Sum]) -> Iterator[ast.expr]:
    """`n` of `total / n` and `total /= n` in the same function, behind the loop."""
    names = {ast.unparse(add.target) for add in sums}
    divisions: list[ast.BinOp | ast.AugAssign] = list(facts.index.nodes(ast.BinOp))
    divisions += facts.index.nodes(ast.AugAssign)
    for node in divisions:
        if not isinstance(node.op, ast.Div) or facts.place(node) < facts.place(loop):
            continue
        above, below = _sides(node)
        is_near = facts.function(node) is facts.function(loop) and loop not in facts.parents(node)
        if is_near and ast.unparse(_without_factors(above)) in names:
            yield below


def _without_factors(above: ast.expr) -> ast.expr:
    """`right` of `100.0 * right` and `float(right)`."""
    while True:
        if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mult):
            above = above.right if _is_constant(above.left) else above.left
        elif isinstance(above, ast.Call) and not above.keywords and len(above.args) == 1:
            above = above.args[0]
        elif isinstance(above, ast.Call) and isinstance(above.func, ast.Attribute):
            above = above.func.value
        else:
            return above


def _sides(node: ast.BinOp | ast.AugAssign) -> tuple[ast.expr, ast.expr]:
    return (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)


def _is_fixed(facts: Facts, number: ast.expr, loop: ast.For) -> bool:
    """Whether nothing of it is counted or bound in the loop, or counts a loop around it."""
    loops = [loop, *(p for p in facts.parents(loop) if isinstance(p, ast.For))]
    names = [n for n in within(loop) if isinstance(n, (ast.Name, ast.Attribute))]
    names += [n for each in loops for n in within(each.target) if isinstance(n, ast.Name)]
    bound = {ast.unparse(n) for n in names if isinstance(n.ctx, ast.Store)}
    asked = {ast.unparse(n) for n in within(number) if isinstance(n, (ast.Name, ast.Attribute))}
    return isinstance(number, _NUMBERS) and bound.isdisjoint(asked)
