"""Scopes and bindings of one module: who binds which name where (seed 000, environment sigma)."""

from __future__ import annotations

import ast
from typing import Union

from ..program.records import NamedTuple
from ..program.scope import Scope as Owner

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]
Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

EACH = "each"  # a path element: some element of an iterable
Path = tuple[Union[int, str], ...]


class Binding(NamedTuple):
    """One place that binds a name; `value` is what flows in, at `path` inside of it."""

    kind: str  # assign, import, param, for, with, def, class, aug, other
    node: ast.AST
    value: ast.AST | None = None
    path: Path = ()

    @property
    def part(self) -> ast.AST | None:
        """What flows in where that is written down: 1 in `a, b = 1, f()`, None in `a, b = f()`."""
        value = self.value
        for number in self.path:
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            is_plain = not any(isinstance(part, ast.Starred) for part in parts)
            is_there = is_plain and isinstance(number, int) and 0 <= number < len(parts)
            value = parts[number] if is_there else None  # type: ignore[index]
        return value


class Scope:
    """A module, class, function, lambda or comprehension with the names it binds."""

    def __init__(self, own: Owner, all_scopes: dict[Owner, Scope]) -> None:
        self._own, self._all = own, all_scopes
        self.node = own.node
        self.bindings: dict[str, list[Binding]] = {}

    def bind(self, name: str, binding: Binding) -> None:
        """Record a binding in the scope that owns the name (`global`, `nonlocal` respected)."""
        owner = self._all.get(self._own.find(name) or self._own.module)
        if owner is not None:
            owner.bindings.setdefault(name, []).append(binding)

    def declares(self, name: str) -> bool:
        """Whether `global` or `nonlocal` says that the name belongs to somewhere around."""
        return self._own.outside.get(name) in ("global", "nonlocal")

    def find(self, name: str) -> Scope | None:
        """The scope that `name` means here, if it binds it, as Python looks it up."""
        owner = self._own.find(name)
        found = None if owner is None else self._all.get(owner)
        return found if found is not None and name in found.bindings else None
