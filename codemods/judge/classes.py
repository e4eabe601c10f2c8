"""The methods of a class, as they are written in it."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator


def methods(cls: ast.AST, names: Container[str] | None = None) -> Iterator[ast.FunctionDef]:
    """The methods of a class; with names: those of one of these."""
    body = cls.body if isinstance(cls, ast.ClassDef) else []
    found = (statement for statement in body if isinstance(statement, ast.FunctionDef))
    return (method for method in found if names is None or method.name in names)
