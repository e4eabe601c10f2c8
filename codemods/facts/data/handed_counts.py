"""Whether what hands out batches counts by how many examples it was given.

What it compares its place with, and what its loops run over, has to be reckoned from that: then a
share ends where its examples do, at the same number of batches on every worker.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..scopes import Function
from .handed_arrays import Inside

_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FIRST = (0, 1)
_LOOPS = (ast.For, ast.While)


def foreign_count(
    facts: Facts, gives: Function, inside: Inside, arrays: tuple[ast.expr, ...]
) -> ast.AST | None:
    """What it counts by that isn't reckoned from its arrays; the function where nothing is."""
    counted = _Counted(facts, frozenset(arrays))
    is_any = False
    for function in _run_by(facts, gives, inside):
        for node in within(function):
            found = list(counted.asked(node))
            is_any = is_any or any(map(counted.is_own, found))
            if found and not any(map(counted.is_own, found)):
                return node
    yields = [n for n in within(gives) if isinstance(n, (ast.Yield, ast.YieldFrom))]
    is_counted = all(map(counted.is_bound, yields)) if yields else is_any
    return None if is_counted else gives


def _run_by(facts: Facts, gives: Function, inside: Inside) -> list[Function]:
    """The function itself, and the methods that it calls on `self`."""
    found = [gives]
    for function in found:
        called = [facts.callee(n) for n in within(function) if isinstance(n, ast.Call)]
        found += [f for f in inside.functions if f in called and f not in found]
    return found


class _Counted:
    """Answers for one set of arrays."""

    def __init__(self, facts: Facts, arrays: frozenset[ast.AST]) -> None:
        self._facts, self._arrays = facts, arrays

    def is_own(self, number: ast.AST) -> bool:
        """Whether it is reckoned from the arrays."""
        sources = self._facts.program.sources(number, ())
        return number in self._arrays or not self._arrays.isdisjoint(sources)

    def asked(self, node: ast.AST) -> Iterator[ast.expr]:
        """The sides of a comparison that may say where the examples end, one of which has to."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = [node.left, *node.comparators]
            is_order = isinstance(node.ops[0], _ORDERING)
            is_equality = isinstance(node.ops[0], (ast.Eq, ast.NotEq))
            if not any(map(_is_beginning, sides)) and (
                is_order or (is_equality and any(map(self._goes_on, sides)))
            ):
                yield from sides
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            is_text = isinstance(node.left, (ast.Constant, ast.JoinedStr))
            yield from () if is_text else (node.right,)

    def _goes_on(self, side: ast.expr) -> bool:
        """Whether it is a counter: something is added to it."""
        sources = self._facts.program.sources(side, ())
        return any(isinstance(n, (ast.AugAssign, ast.BinOp)) for n in sources)

    def is_bound(self, given: ast.AST) -> bool:
        """Whether a loop around what is yielded ends by the arrays."""
        around = (p for p in self._facts.parents(given) if isinstance(p, _LOOPS))
        bounds = (p.iter if isinstance(p, ast.For) else p.test for p in around)
        return any(self._is_reckoned(bound) for bound in bounds)

    def _is_reckoned(self, bound: ast.expr) -> bool:
        return any(self.is_own(n) for n in within(bound) if isinstance(n, ast.expr))


def _is_beginning(side: ast.expr) -> bool:
    """`start == 0`, `shuffle == True`, `mode == "train"`."""
    if not isinstance(side, ast.Constant):
        return False
    return side.value is None or isinstance(side.value, (str, bool)) or side.value in _FIRST
