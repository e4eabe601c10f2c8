"""What the name of a loop stands for, where it goes through models: `for net, target in pairs`."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..scopes import EACH, Binding, Path
from .paths import is_path

_DISPLAYS = (ast.Tuple, ast.List)
_ALL_OF = tuple(f"builtins.{name}" for name in ("reversed", "list", "tuple", "iter", "sorted"))


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
    over, path = _over(facts, binding)
    if isinstance(over, (ast.Name, ast.Attribute)):
        over = facts.origins(over).only
    if not isinstance(over, _DISPLAYS):
        return [None]
    return [Binding("assign", binding.node, each, path).part for each in over.elts]


def taken_from(facts: Facts, name: ast.expr) -> list[ast.expr]:
    """What a name's value is a part of, in all that bind it: `for block in self.blocks` is of that.

    Empty where one of them is something else.
    """
    bindings = facts.names.bindings(name) if isinstance(name, ast.Name) else []
    owners = [_owner(facts, binding) for binding in bindings]
    found = [owner for owner in owners if isinstance(owner, (ast.Attribute, ast.Subscript))]
    return list(found) if len(found) == len(owners) else []


def _owner(facts: Facts, binding: Binding) -> ast.AST | None:
    if binding.kind == "for" and binding.path[:1] == (EACH,):
        return _over(facts, binding)[0]
    return binding.part if binding.kind == "assign" else None


def _over(facts: Facts, binding: Binding) -> tuple[ast.AST | None, Path]:
    """What a loop goes through, below `zip` and its like, and where in each of it."""
    over, path = binding.value, binding.path[1:]
    while isinstance(over, ast.Call):
        name, first = facts.name(over.func), path[:1]
        if name == "builtins.zip" and first:
            number, path = first[0], path[1:]
            is_there = isinstance(number, int) and number < len(over.args)
            over = over.args[number] if is_there else None  # type: ignore[index]
        elif name == "builtins.enumerate" and first == (1,) and over.args:
            over, path = over.args[0], path[1:]
        elif name in _ALL_OF and over.args:
            over = over.args[0]
        elif isinstance(over.func, ast.Attribute) and _gives_parts(over.func.attr, first):
            over, path = over.func.value, path[1:]
        else:
            return None, path
    return over, path


def _gives_parts(method: str, first: Path) -> bool:
    return method == "values" or (method == "items" and first == (1,))
