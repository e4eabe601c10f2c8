"""Modules that do nothing when they are imported but to bind names."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ..library.at_import import changes_nothing, does_nothing_at_import
from ..program.node_fields import within
from .bound_and_used import bindings, is_noted
from .outline import is_main

# Words of modules that are heard of by another way than their names.
_MARKS = ("distify:", "horovod", "__init_subclass__", "metaclass", "compat", "contrib", "KERAS")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DECORATORS = ("property", "staticmethod", "classmethod")


def is_quiet(tree: ast.Module, text: str) -> bool:
    """Whether importing a file does no more than to bind names, and only once it is asked for."""
    if any(mark in text for mark in _MARKS):
        return False
    names = library_names(tree.body)
    is_quiet = all(_is_quiet(each, names) for each in tree.body)
    return is_quiet and not _has_far_names(tree) and _imports_once(tree)


def only_defines(tree: ast.Module) -> bool:
    """Whether importing a file changes nothing but what has its definitions: registries, say."""
    names = library_names(tree.body)
    kinds = (*_DEFINITIONS, ast.Import, ast.ImportFrom)
    return all(isinstance(each, kinds) or _is_quiet(each, names) for each in tree.body)


def quiet_decorators(tree: ast.Module) -> tuple[str, ...]:
    """The names of decorators that note nothing anywhere."""
    return (*_DECORATORS, *library_names(tree.body))


def library_names(body: Iterable[ast.stmt]) -> dict[str, str]:
    """The names that a module's imports bind to libraries that do nothing by that, and what is."""
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                own = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or own] = own
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return {bound: name for bound, name in found.items() if does_nothing_at_import(name)}


def _has_far_names(tree: ast.Module) -> bool:
    """Whether functions bind names of the module, or import something."""
    inside = (node for statement in tree.body for node in _below(statement))
    return any(isinstance(n, (ast.Global, ast.Import, ast.ImportFrom)) for n in inside)


def _imports_once(tree: ast.Module) -> bool:
    """Whether nothing else binds a name that an import binds."""
    imports = (node for node in within(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    imported = {each.asname or each.name.partition(".")[0] for i in imports for each in i.names}
    bound = Counter(name for statement in tree.body for name in bindings(statement))
    return all(bound[name] == 1 for name in imported)


def _below(statement: ast.stmt) -> Iterator[ast.AST]:
    """What stands in the definitions of a module."""
    if isinstance(statement, _DEFINITIONS):
        yield from within(statement)
    else:
        for node in within(statement):
            if isinstance(node, (*_DEFINITIONS, ast.Global)):
                yield from within(node)


def _is_quiet(statement: ast.stmt, names: Mapping[str, str]) -> bool:
    if isinstance(statement, ast.Import):
        return True  # what they are is asked where the project is known
    if isinstance(statement, ast.ImportFrom):
        return all(alias.name != "*" for alias in statement.names)
    if isinstance(statement, _DEFINITIONS):
        return not is_noted(statement, {*_DECORATORS, *names})
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return _binds_a_value(statement, names)
    if is_main(statement):
        return True
    if isinstance(statement, ast.If):
        inside = (*statement.body, *statement.orelse)
        return _is_value(statement.test, names) and all(_is_quiet(s, names) for s in inside)
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Pass)


def _binds_a_value(statement: ast.Assign | ast.AnnAssign, names: Mapping[str, str]) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    is_plain = all(isinstance(target, ast.Name) for target in targets)
    return is_plain and (statement.value is None or _is_value(statement.value, names))


def _is_value(expr: ast.expr, names: Mapping[str, str]) -> bool:
    """Whether to evaluate an expression changes nothing."""
    nodes = list(within(expr))
    calls = (node for node in nodes if isinstance(node, ast.Call))
    others = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
    is_still = not any(isinstance(node, others) for node in nodes)
    return is_still and all(changes_nothing(full_name(call.func, names)) for call in calls)


def full_name(func: ast.expr, names: Mapping[str, str]) -> str:
    """The dotted name of what is called; empty where no library has it."""
    attributes = ""
    while isinstance(func, ast.Attribute):
        attributes = f".{func.attr}{attributes}"
        func = func.value
    name = names.get(func.id, "") if isinstance(func, ast.Name) else ""
    return name and name + attributes
