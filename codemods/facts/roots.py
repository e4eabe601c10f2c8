"""The packages that an import names."""

from __future__ import annotations

import ast


def roots(node: ast.AST) -> set[str]:
    """The top-level packages of an import; relative ones, and what is no import, have none."""
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    is_absolute = isinstance(node, ast.ImportFrom) and not node.level
    return {(getattr(node, "module", None) or "").split(".")[0]} if is_absolute else set()
