"""Whether a value is only asked how large it is."""

from __future__ import annotations

import ast

from ..facts import Facts

_SIZES = frozenset(["shape", "size", "ndim", "dtype"])
_LENGTHS = ("builtins.len", "numpy.shape", "numpy.size")


def is_size(facts: Facts, node: ast.AST) -> bool:
    """Whether a value is only asked how large it is."""
    if isinstance(node, ast.Attribute):
        return node.attr in _SIZES
    return isinstance(node, ast.Call) and facts.name(node.func) in _LENGTHS
