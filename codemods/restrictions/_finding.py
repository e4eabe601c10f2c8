"""Makes findings of a restriction from the node that violates it."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..model import BLOCKED, NOTE, Finding


def finding(facts: Facts, node: ast.expr | ast.stmt, code: str, message: str, fix: str) -> Finding:
    """A finding that blocks the file, at `node`."""
    line, column = facts.place(node)
    return Finding(line, column, code, message, fix, BLOCKED)


def note(
    facts: Facts, node: ast.expr | ast.stmt, code: str, message: str, fix: str = ""
) -> Finding:
    """A remark at `node` that blocks nothing."""
    line, column = facts.place(node)
    return Finding(line, column, code, message, fix, NOTE)
