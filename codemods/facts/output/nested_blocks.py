"""The blocks of a compound statement, and whether its `else` is an `elif`."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def is_elif_chain(statement: ast.If) -> bool:
    """Whether the `else` part is an `elif`: it begins where the `if` does, `else: if` is deeper."""
    inner = statement.orelse[0] if len(statement.orelse) == 1 else None
    return isinstance(inner, ast.If) and inner.col_offset == statement.col_offset


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks directly inside of a compound statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
    for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        yield part.body
