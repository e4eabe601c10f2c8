"""What a call of a function gives: what its own body returns, unless a decorator changes it."""

from __future__ import annotations

import ast

from ..program.node_fields import children
from ..program.parts import Function, FunctionNode
from .names import Names

# These change nothing about what a function returns.
_TRANSPARENT = frozenset(
    {
        "staticmethod",
        "classmethod",
        "property",
        "functools.wraps",
        "functools.lru_cache",
        "functools.cache",
    }
)


def returns(function: Function) -> list[ast.Return]:
    """The `return` statements of a function itself."""
    found: list[ast.Return] = []
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return):
            found.append(node)
        elif not isinstance(node, (*FunctionNode, ast.ClassDef, ast.expr)):
            stack.extend(reversed(list(children(node))))
    return found


def is_generator(function: Function) -> bool:
    """Whether a call gives an iterator over what the body yields, not what it returns."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*FunctionNode, ast.ClassDef, ast.Lambda)):
            stack.extend(children(node))
    return False


def has_unknown_decorator(function: ast.AST, names: Names) -> bool:
    """Whether some decorator may make another function of it."""
    for decorator in getattr(function, "decorator_list", []):
        name = names.name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
        if name not in _TRANSPARENT and name.replace("builtins.", "") not in _TRANSPARENT:
            if name not in (
                "tensorflow.function",
                "tensorflow.autograph.experimental.do_not_convert",
            ):
                return True
    return False
