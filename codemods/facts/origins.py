"""What can flow to an expression: plain data that says where a value was created."""

from __future__ import annotations

import ast
from typing import NamedTuple

from .scopes import Path


class Origin(NamedTuple):
    """A creating expression, or the part of its value at `path` (tuple index or "each")."""

    node: ast.AST
    path: Path = ()


class Origins(NamedTuple):
    """Everything that can flow to an expression; incomplete when `unknown` is not empty."""

    items: tuple[Origin, ...]
    unknown: tuple[ast.AST, ...] = ()

    @property
    def complete(self) -> bool:
        """Nothing but `items` can flow in."""
        return not self.unknown

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The creating expressions themselves, without those that only hold the value inside."""
        return tuple(item.node for item in self.items if not item.path)

    @property
    def only(self) -> ast.AST | None:
        """The one creating expression when there is exactly one and nothing unknown."""
        return (
            self.items[0].node
            if self.complete and len(self.items) == 1 and not self.items[0].path
            else None
        )
