"""What the engine finds for an expression, and whether that is all."""

from __future__ import annotations

import ast

from .records import NamedTuple


class Found(NamedTuple):
    """What was found, and whether that is all there can be."""

    nodes: tuple[ast.AST, ...]
    is_complete: bool

    @property
    def only(self) -> ast.AST | None:
        """What it certainly is: there is one, and nothing else can be."""
        return self.nodes[0] if self.is_complete and len(self.nodes) == 1 else None
