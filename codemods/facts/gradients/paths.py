"""Expressions that can be read again: `a`, `a.b`, `a[0].b`."""

from __future__ import annotations

import ast

from ...program.node_fields import within


def is_path(expr: ast.expr) -> bool:
    """`a`, `a.b`, `a[0].b`: reading it again has no effect and gives the same."""
    while isinstance(expr, (ast.Attribute, ast.Subscript)):
        if isinstance(expr, ast.Subscript) and not _is_fixed(expr.slice):
            return False
        expr = expr.value
    return isinstance(expr, ast.Name)


def _is_fixed(key: ast.AST) -> bool:
    return all(
        isinstance(
            n, (ast.Constant, ast.Slice, ast.UnaryOp, ast.USub, ast.Index, ast.Name, ast.Load)
        )
        for n in within(key)
    )
