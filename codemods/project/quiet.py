"""Modules that do nothing when they are imported but to bind names, each once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.node_fields import within

# Libraries that do nothing when they are imported, of which no rule speaks.
QUIET = frozenset(
    {"__future__", "abc", "collections", "collections.abc", "math", "numbers", "typing"}
)
_MARKS = ("\r", "\f", "distify:", "__init_subclass__", "metaclass")  # lines, and who is heard
_CONTAINERS = (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Subscript)
_NAMES = (ast.Constant, ast.Name, ast.Attribute, ast.expr_context)
_QUIET_VALUES = (*_CONTAINERS, *_NAMES, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop)


def is_quiet(tree: ast.Module, text: str) -> bool:
    """Whether importing a file does no more than to bind names."""
    if any(mark in text for mark in _MARKS):
        return False
    return all(map(_is_quiet, tree.body)) and _is_plain(tree)


def _is_plain(tree: ast.Module) -> bool:
    """Whether each name of the module is bound once, at a line of its own, and no store is far."""
    names: set[str] = set()
    last = 0
    for statement in tree.body:
        bound = list(_bound(statement))
        if statement.lineno <= last or not names.isdisjoint(bound) or len(set(bound)) < len(bound):
            return False
        last, names = statement.end_lineno or 0, names.union(bound)
    imports = sum(isinstance(s, (ast.Import, ast.ImportFrom)) for s in tree.body)
    for node in within(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return False
        imports -= isinstance(node, (ast.Import, ast.ImportFrom))
    return imports == 0


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name for alias in statement.names)
    elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, ast.Assign):
        yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def _is_quiet(statement: ast.stmt) -> bool:
    """Whether a statement of a module only binds a name."""
    if isinstance(statement, ast.Import):
        return all(alias.name in QUIET for alias in statement.names)
    if isinstance(statement, ast.ImportFrom):
        return all(alias.name != "*" for alias in statement.names)
    if isinstance(statement, ast.FunctionDef):
        return not statement.decorator_list and all(map(_is_value, _of_signature(statement)))
    if isinstance(statement, ast.ClassDef):
        return _is_quiet_class(statement)
    if isinstance(statement, ast.Assign):
        is_name = len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
        return is_name and _is_value(statement.value)
    return isinstance(statement, ast.Pass) or is_text(statement)


def _is_quiet_class(statement: ast.ClassDef) -> bool:
    if statement.decorator_list or statement.keywords:
        return False
    return all(map(_is_value, statement.bases)) and all(
        _is_quiet(s) and not isinstance(s, (ast.Import, ast.ImportFrom)) for s in statement.body
    )


def _of_signature(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What is evaluated when a function is defined."""
    given = function.args
    yield from (each for each in (*given.defaults, *given.kw_defaults) if each is not None)
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    yield from (each.annotation for each in every if each is not None and each.annotation)
    if function.returns is not None:
        yield function.returns


def _is_value(expr: ast.expr) -> bool:
    return all(isinstance(node, _QUIET_VALUES) for node in within(expr))


def is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a text alone, as that which documents a function."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
