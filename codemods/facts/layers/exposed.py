"""Which names statements read before they bind them, and which they bind whatever happens."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...program.node_fields import children, within

_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound(statements: Iterable[ast.AST]) -> set[str]:
    """The names that statements bind, but for those of comprehensions."""
    return {n.id for s in statements for n in _own(s) if not isinstance(n.ctx, ast.Load)}


def _own(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.Name):
        yield node
    elif not isinstance(node, _SCOPES):
        for child in children(node):
            yield from _own(child)


def reads(node: ast.AST) -> Iterator[ast.Name]:
    """The names that are read in an expression or statement, but for its own comprehensions'."""
    inner: set[str] = set()
    for each in within(node):
        if isinstance(each, ast.comprehension):
            inner |= {n.id for n in within(each.target) if isinstance(n, ast.Name)}
        elif isinstance(each, ast.Lambda):
            inner |= {a.arg for a in each.args.args}
    for each in within(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in inner:
            yield each


class Exposed:
    """Walks over a block: `names` are read before they are surely bound there."""

    def __init__(self, statements: list[ast.stmt]) -> None:
        self.names: set[str] = set()
        self.surely = self._block(statements, frozenset())

    def _read(self, node: ast.AST | None, before: frozenset[str]) -> None:
        if node is not None:
            self.names |= {n.id for n in reads(node)} - before

    def _block(self, statements: list[ast.stmt], before: frozenset[str]) -> frozenset[str]:
        for statement in statements:
            before = self._statement(statement, before)
        return before

    def _statement(self, statement: ast.stmt, before: frozenset[str]) -> frozenset[str]:
        if isinstance(statement, ast.If):
            self._read(statement.test, before)
            then = self._block(statement.body, before)
            return then & self._block(statement.orelse, before)
        if isinstance(statement, (ast.For, ast.While)):
            head = statement.iter if isinstance(statement, ast.For) else statement.test
            self._read(head, before)
            own = bound([statement.target]) if isinstance(statement, ast.For) else set()
            self._block(statement.body, before | own)
            self._block(statement.orelse, before)
            return before
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            self.names |= {statement.target.id} - before
        self._read(statement, before)
        return before | frozenset(bound([statement]))
