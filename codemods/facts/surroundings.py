"""What stands around a statement, looked up once: each `elif` is deeper than the one before."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Callable, TypeVar

from .scopes import Function, FunctionNode

Found = TypeVar("Found")


class Surroundings:
    """The innermost function and the outermost statement around a node; answers are kept."""

    def __init__(self, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._parents = parents
        self._functions: dict[ast.stmt, Function | None] = {}
        self._tops: dict[ast.stmt, ast.stmt] = {}

    def function(self, node: ast.AST) -> Function | None:
        """The innermost function around a node."""
        return self._climb(node, self._functions, _function, None)

    def top(self, statement: ast.stmt) -> ast.stmt:
        """The statement of the module that is the statement, or holds it."""
        return self._climb(statement, self._tops, self._at_the_top, statement)

    def _climb(
        self,
        node: ast.AST,
        known: dict[ast.stmt, Found],
        wanted: Callable[[ast.AST], Found | None],
        otherwise: Found,
    ) -> Found:
        """The first wanted place above, kept for the statements on the way."""
        way: list[ast.stmt] = []
        found, parent = otherwise, self._parents.get(node)
        while parent is not None:
            here = wanted(parent)
            if here is not None:
                found = here
                break
            if isinstance(parent, ast.stmt):
                if parent in known:
                    found = known[parent]
                    break
                way.append(parent)
            parent = self._parents.get(parent)
        known.update(dict.fromkeys(way, found))
        return found

    def _at_the_top(self, node: ast.AST) -> ast.stmt | None:
        is_top = isinstance(self._parents.get(node), ast.Module)
        return node if is_top and isinstance(node, ast.stmt) else None


def _function(node: ast.AST) -> Function | None:
    return node if isinstance(node, FunctionNode) else None
