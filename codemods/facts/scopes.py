"""Scopes and bindings of one module: who binds which name where (seed 000, environment sigma)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple, Union

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]
Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

EACH = "each"  # a path element: some element of an iterable
Path = tuple[Union[int, str], ...]
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class Binding(NamedTuple):
    """One place that binds a name; `value` is what flows in, at `path` inside of it."""

    kind: str  # assign, import, param, for, with, def, class, aug, other
    node: ast.AST
    value: ast.AST | None = None
    path: Path = ()


class Scope:
    """A module, class, function, lambda or comprehension with the names it binds."""

    def __init__(self, node: ast.AST, parent: Scope | None) -> None:
        self.node, self.parent = node, parent
        self.bindings: dict[str, list[Binding]] = {}
        self.declared_global: set[str] = set()
        self.declared_nonlocal: set[str] = set()

    def bind(self, name: str, binding: Binding) -> None:
        """Record a binding in the scope that owns the name (`global`, `nonlocal` respected)."""
        self._owner(name).bindings.setdefault(name, []).append(binding)

    def _owner(self, name: str) -> Scope:
        if name in self.declared_global:
            return self.module
        if name in self.declared_nonlocal and self.parent is not None:
            found = self.parent.find(name)
            return found if found is not None else self
        return self

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        return self if self.parent is None else self.parent.module

    def find(self, name: str) -> Scope | None:
        """The scope that `name` means here, as Python looks it up (classes are no outer scopes)."""
        if name in self.declared_global:
            return self.module if name in self.module.bindings else None
        scope: Scope | None = self
        while scope is not None:
            is_outer_class = scope is not self and isinstance(scope.node, ast.ClassDef)
            if name in scope.bindings and not is_outer_class:
                return scope
            scope = scope.parent
        return None


def is_first_iterable(child: ast.AST, generator: ast.comprehension, owner: ast.AST) -> bool:
    """A comprehension's first iterable is evaluated outside of it."""
    return child is generator.iter and owner.generators[0] is generator  # type: ignore[attr-defined]


def is_inside(child: ast.AST, scope: ast.AST) -> bool:
    """Decorators, defaults, annotations and bases are evaluated outside of what they belong to."""
    if isinstance(scope, (*FunctionNode, ast.ClassDef)):
        return isinstance(child, ast.stmt)
    if isinstance(scope, ast.Lambda):
        return child is scope.body
    return True


def own_statements(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Statements of a scope, not those of the functions and classes inside of it."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*FunctionNode, ast.ClassDef)):
            for block in _BLOCKS:
                stack.extend(getattr(node, block, ()))
