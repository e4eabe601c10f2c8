"""What stands around a statement, looked up once: each `elif` is deeper than the one before."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Callable, Generic, TypeVar

from ..program.parts import Function, FunctionNode

Found = TypeVar("Found")
_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_LOOPS = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


class _Above(Generic[Found]):
    """The first wanted place above each node; kept for all that stands on the way."""

    def __init__(
        self, parents: Mapping[ast.AST, ast.AST], wanted: Callable[[ast.AST], Found | None]
    ) -> None:
        self._parents, self._wanted = parents, wanted
        self._known: dict[ast.AST, Found | None] = {}

    def first(self, node: ast.AST) -> Found | None:
        """The place, None if there is none."""
        way: list[ast.AST] = []
        found, parent = None, self._parents.get(node)
        while parent is not None:
            found = self._wanted(parent)
            if found is not None:
                break
            if parent in self._known:
                found = self._known[parent]
                break
            way.append(parent)
            parent = self._parents.get(parent)
        self._known.update(dict.fromkeys(way, found))
        return found


class Surroundings:
    """The function, the block and the outermost statement around a node; answers are kept."""

    def __init__(self, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._parents = parents
        self._functions: _Above[Function] = _Above(parents, _function)
        self._statements: _Above[ast.stmt] = _Above(parents, _statement)
        self._tops: _Above[ast.stmt] = _Above(parents, self._at_the_top)
        self._numbers: dict[int, dict[ast.stmt, int]] = {}  # by the id of a block

    def function(self, node: ast.AST) -> Function | None:
        """The innermost function around a node."""
        return self._functions.first(node)

    def statement(self, expr: ast.AST) -> ast.stmt:
        """The innermost statement around an expression. Raises KeyError if it stands in none."""
        found = self._statements.first(expr)
        if found is None:
            raise KeyError(expr)
        return found

    def top(self, statement: ast.stmt) -> ast.stmt:
        """The statement of the module that is the statement, or holds it."""
        here = self._at_the_top(statement)
        around = self._tops.first(statement) if here is None else here
        return statement if around is None else around

    def block(self, statement: ast.stmt) -> tuple[list[ast.stmt], int]:
        """The list of statements that holds one, and its number in it. Raises ValueError."""
        parent = self._parents[statement]
        for field in _BLOCKS:
            found = getattr(parent, field, None)
            if isinstance(found, list):
                number = self._numbers_in(found).get(statement)
                if number is not None:
                    return found, number
        raise ValueError(f"line {statement.lineno}: a statement outside of any block")

    def comes_before(self, first: ast.stmt, second: ast.stmt) -> bool:
        """Whether what stands above the first statement has run wherever the second one does."""
        around: ast.AST | None = second
        while around is not None and not isinstance(around, (*FunctionNode, ast.ClassDef)):
            if isinstance(around, ast.stmt):
                block, number = self.block(around)
                if first in block[: number + 1]:
                    return True
            around = self._parents.get(around)
        return False

    def _numbers_in(self, block: list[ast.stmt]) -> dict[ast.stmt, int]:
        """The number of each statement of a block, counted once."""
        if id(block) not in self._numbers:
            self._numbers[id(block)] = {each: number for number, each in enumerate(block)}
        return self._numbers[id(block)]

    def _at_the_top(self, node: ast.AST) -> ast.stmt | None:
        is_top = isinstance(self._parents.get(node), ast.Module)
        return node if is_top and isinstance(node, ast.stmt) else None


def _statement(node: ast.AST) -> ast.stmt | None:
    return node if isinstance(node, ast.stmt) else None


def _function(node: ast.AST) -> Function | None:
    return node if isinstance(node, FunctionNode) else None


def is_in_loop(parents: Iterable[ast.AST]) -> bool:
    """Whether a loop stands around, nearer than the function: the innermost parent comes first."""
    for parent in parents:
        if isinstance(parent, _LOOPS):
            return True
        if isinstance(parent, (*FunctionNode, ast.Lambda)):
            return False
    return False
