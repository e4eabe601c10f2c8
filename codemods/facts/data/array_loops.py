"""Loops that train on slices of arrays: `for i in range(0, len(x), 32): x[i : i + 32]`.

Also such as count steps and go round: `start = step * 32 % (len(x) - 32)`, `x[start : start + 32]`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from ...library.agreement import RANGES
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..by_rank import depends_on_rank
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..scopes import FunctionNode
from ..training.training_loops import rounds_of, trains, without_bar
from .arrays import is_array
from .attribute_loops import kept_arrays
from .only_sliced import Cut, is_only_sliced
from .reorders import reorders
from .round_orders import lengths_of, only_pick, orders_by, sliced
from .shares import shares_data

_LOOPS = (ast.For, ast.While)


class Loop(NamedTuple):
    """Arrays that are cut before a statement, because a loop from there on takes slices of them.

    `steps` is the number of its rounds where that doesn't follow from how long the arrays are.
    """

    before: ast.stmt
    arrays: tuple[str, ...]
    steps: ast.expr | None = None
    orders: tuple[ast.AST, ...] = ()  # drawn for each worker's share
    fewer: tuple[ast.expr, ...] = ()  # what its rounds are reckoned from, and with them shrinks
    is_behind: bool = False  # cut behind the statement, which keeps the last of the arrays


@recorded
def loops(facts: Facts) -> tuple[Loop, ...]:
    """The loops whose arrays can be cut: they and nothing behind them use the arrays."""
    if not shares_data(facts):
        return ()
    found: dict[ast.AST, Loop] = {}
    for node in facts.index.nodes(ast.For):
        if trains(facts, node) and not has_own_rows(facts, node):
            loop = _Slices(facts, node).loop()
            if loop is not None:
                found[loop.before] = loop
    kept = (Loop(k.behind, k.arrays, None, k.orders, (), True) for k in kept_arrays(facts))
    return (*found.values(), *kept)


class _Slices:
    """One `for … in range(…)` that trains."""

    def __init__(self, facts: Facts, inner: ast.For) -> None:
        self._facts, self._inner = facts, inner
        self._outer: ast.stmt = inner
        for parent in facts.parents(inner):
            if isinstance(parent, FunctionNode):
                break
            self._outer = parent if isinstance(parent, _LOOPS) else self._outer

    def loop(self) -> Loop | None:
        """The arrays, if the number of rounds follows from their length and all else is safe."""
        call = without_bar(self._facts, self._inner.iter)
        if not isinstance(call, ast.Call) or self._facts.name(call.func) not in RANGES:
            return None
        slices = list(self._slices())
        names = tuple(dict.fromkeys(s.value.id for s in slices if isinstance(s.value, ast.Name)))
        if not names or any(depends_on_rank(self._facts, s.value) for s in slices):
            return None
        lengths = self._lengths([n for arg in call.args for n in within(arg)], names)
        steps = None if lengths else next(rounds_of(self._facts, slices[0]), None)
        lengths = lengths or ([] if steps is None else self._rounds(slices, names))
        orders = orders_by(self._facts, slices, self._outer)
        again = reorders(self._facts, self._outer, names)
        numbers = [each.number for each in again if each.number is not None]
        drawn_for = [self._lengths(lengths_of(each), names) for each in orders]
        drawn_for += [self._lengths(list(within(number)), names) for number in numbers]
        if not lengths or not all(drawn_for) or not only_pick(self._facts, orders, slices):
            return None
        lengths += [name for each in drawn_for for name in each]
        first = self._first(lengths)
        allowed = {id(s.value) for s in slices} | {id(n) for n in lengths}
        allowed |= {id(name) for each in again for name in each.used}
        if first is None:
            return None
        seen = Cut(first, self._outer, frozenset(allowed), frozenset(r.statement for r in again))
        if not all(is_only_sliced(self._facts, s.value, seen) for s in slices):
            return None
        drawn = (*(order.drawn for order in orders), *(d for each in again for d in each.draws))
        return Loop(first, names, steps, drawn, () if steps is not None else tuple(call.args))

    def _slices(self) -> Iterator[ast.Subscript]:
        """`x[i : i + 32]` with an `i` that the loop binds."""
        inside = [n for n in within(self._inner) if isinstance(n, ast.Name)]
        bound = {n.id for n in inside if not isinstance(n.ctx, ast.Load)}
        for node in within(self._inner):
            index = sliced(self._facts, node, self._outer)
            if isinstance(node, ast.Subscript) and index is not None:
                used = {n.id for n in within(index) if isinstance(n, ast.Name)}
                is_name = isinstance(node.value, ast.Name) and node.value.id not in bound
                if used & bound and is_name and is_array(self._facts, node.value):
                    yield node

    def _lengths(self, numbers: list[ast.AST], names: tuple[str, ...]) -> list[ast.Name]:
        """The arrays in `len(x)` and `x.shape`, also in the statements that computed a number."""
        found: list[ast.Name] = []
        for node in (*numbers, *(n for s in self._sources(numbers) for n in within(s))):
            parent = self._facts.parent(node)
            is_shape = isinstance(parent, ast.Attribute) and parent.attr == "shape"
            called = self._facts.name(parent.func) if isinstance(parent, ast.Call) else None
            is_len = called == "builtins.len"
            if isinstance(node, ast.Name) and node.id in names and (is_shape or is_len):
                found.append(node)
        return found

    def _sources(self, numbers: list[ast.AST]) -> list[ast.stmt]:
        """Assignments in the block of the loop, or around it, that computed a number for it."""
        blocks = [self._facts.block(s) for s in (*self._inside(), *self._outside())]
        before = [s for block, number in blocks for s in block[:number]]
        found: list[ast.stmt] = []
        waiting = list(numbers)
        for node in waiting:
            bindings = self._facts.names.bindings(node) if isinstance(node, ast.Name) else []
            made = bindings[0].node if len(bindings) == 1 else None
            if made in before and made not in found:
                found.append(made)
                waiting += within(made)
        return found

    def _inside(self) -> Iterator[ast.stmt]:
        """The loop, and what is around it in the outermost one."""
        if self._inner is not self._outer:
            yield self._inner
            within_outer = takewhile(
                lambda n: n is not self._outer, self._facts.parents(self._inner)
            )
            yield from (n for n in within_outer if isinstance(n, ast.stmt))

    def _outside(self) -> Iterator[ast.stmt]:
        """The outermost loop, and each `with` around it: what is in these blocks runs once."""
        yield self._outer
        yield from takewhile(lambda n: isinstance(n, ast.With), self._facts.parents(self._outer))

    def _rounds(self, slices: list[ast.Subscript], names: tuple[str, ...]) -> list[ast.Name]:
        """The lengths by which every slice begins anew; none where one of them has no such."""
        found: list[ast.Name] = []
        for each in slices:
            starts = [n for n in within(each.slice) if isinstance(n, ast.Name)]
            lengths = [self._lengths(self._modulus(name), names) for name in starts]
            if not any(lengths):
                return []
            found += [name for some in lengths for name in some]
        return found

    def _modulus(self, name: ast.Name) -> list[ast.AST]:
        """The parts of `n` of `start = step * 32 % n`, which the loop computes in each round."""
        bindings = self._facts.names.bindings(name)
        value = bindings[0].value if len(bindings) == 1 else None
        is_inside = value is not None and self._inner in self._facts.parents(value)
        is_rest = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod)
        return list(within(value.right)) if is_inside and is_rest else []  # type: ignore[union-attr]

    def _first(self, lengths: list[ast.Name]) -> ast.stmt | None:
        """The first statement that has to see the shares; None if the rounds don't follow them."""
        statements = [self._facts.statement(n) for n in lengths]
        blocks = [self._facts.block(s)[0] for s in self._outside()]
        outside = [s for s in statements if any(s in block for block in blocks)]
        return min((self._outer, *outside), key=_line) if lengths else None


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))
