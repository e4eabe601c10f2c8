"""What the name of a loop stands for, where it goes through models: `for net, target in pairs`."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..scopes import EACH, Binding
from .paths import is_path

_DISPLAYS = (ast.Tuple, ast.List)


def named(facts: Facts, use: ast.expr) -> list[ast.expr]:
    """The paths to all that a name of a loop may be; itself, where one of them is unseen."""
    bindings = facts.names.bindings(use) if isinstance(use, ast.Name) else []
    parts = [part for binding in bindings for part in _parts(facts, binding)]
    paths = [part for part in parts if isinstance(part, ast.expr) and is_path(part)]
    return paths if paths and len(paths) == len(parts) else [use]


def _parts(facts: Facts, binding: Binding) -> list[ast.AST | None]:
    """What each round binds, `None` for what isn't written out."""
    if binding.kind != "for" or binding.path[:1] != (EACH,):
        return [None]
    over, path = binding.value, binding.path[1:]
    if isinstance(over, ast.Call) and facts.name(over.func) == "builtins.zip" and path:
        number, path = path[0], path[1:]
        is_there = isinstance(number, int) and number < len(over.args)
        over = over.args[number] if is_there else None  # type: ignore[index]
    if isinstance(over, (ast.Name, ast.Attribute)):
        over = facts.origins(over).only
    if not isinstance(over, _DISPLAYS):
        return [None]
    return [Binding("assign", binding.node, each, path).part for each in over.elts]
