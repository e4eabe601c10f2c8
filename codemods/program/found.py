"""What the engine finds for an expression, and whether that is all."""

from __future__ import annotations

import ast
from collections.abc import Collection

from .records import NamedTuple
from .things import Class, Function


class Found(NamedTuple):
    """What was found, and whether that is all there can be."""

    nodes: tuple[ast.AST, ...]
    is_complete: bool

    @property
    def only(self) -> ast.AST | None:
        """What it certainly is: there is one, and nothing else can be."""
        return self.nodes[0] if self.is_complete and len(self.nodes) == 1 else None


NONE_FOUND = Found((), False)


def found(things: Collection[object], kind: type[Function | Class]) -> Found:
    """The nodes of the things of a kind; complete where there are no others."""
    own = [thing for thing in things if isinstance(thing, kind)]
    if not own:
        return NONE_FOUND
    return Found(tuple(dict.fromkeys([t.node for t in own])), len(own) == len(things))
