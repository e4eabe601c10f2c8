"""One scope: the names that it binds, and which scope owns a name that is seen from it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from .parts import COMPREHENSIONS, FUNCTIONS, TYPE_PARAMETERS

# What a name is that no scope binds; a module knows where its file lies, too.
BUILTINS = frozenset(dir(builtins)) | {"__file__"}


class Scope:
    """A module, class, function, comprehension, or the parameters of a type (`def f[T]`).

    `frame` is the scope of the code that runs as one piece with it: class bodies and comprehensions
    belong to what stands around them. `shared` holds the names that code of other frames may bind.
    """

    def __init__(self, node: ast.AST, parent: Scope | None) -> None:
        self.node, self.parent = node, parent
        is_frame = parent is None or isinstance(node, FUNCTIONS)
        self.frame: Scope = self if is_frame or parent is None else parent.frame
        self.module: Scope = self if parent is None else parent.module
        self.bound: set[str] = set()
        # `global`, `nonlocal`; `around`, `later`: what `:=` binds in a comprehension or generator
        self.outside: dict[str, str] = {}
        self.shared: set[str] = set()
        self.walruses: set[str] = set()  # what `:=` inside of a comprehension binds around it
        self.is_generator = False
        self._owners: dict[str, Scope | None] = {}

    def bind(self, name: str) -> None:
        """Record that code of this scope binds the name."""
        if name not in self.outside:
            self.bound.add(name)

    def declare(self, kind: str, names: Sequence[str]) -> None:
        """Record `global` or `nonlocal`."""
        self.outside.update(dict.fromkeys(names, kind))
        self.bound.difference_update(names)

    def declares(self, name: str) -> bool:
        """Whether `global` or `nonlocal` says that the name belongs to somewhere around."""
        return self.outside.get(name) in ("global", "nonlocal")

    def find(self, name: str) -> Scope | None:
        """The scope that owns the name as seen from here; None: a builtin or a star import."""
        if name not in self._owners:
            self._owners[name] = self._find(name)
        return self._owners[name]

    def _find(self, name: str) -> Scope | None:
        if self.outside.get(name) == "global":
            return self.module if name in self.module.bound else None
        scope = self.parent if name in self.outside else self
        while scope is not None:
            if name in scope.bound and self._sees(scope):
                return scope
            scope = scope.parent
        return None

    def _sees(self, scope: Scope) -> bool:
        """Whether a name of that scope is seen from here: those of classes are not, from inside."""
        is_own = scope is self or (scope is self.parent and isinstance(self.node, TYPE_PARAMETERS))
        return is_own or not isinstance(scope.node, ast.ClassDef)


def around(scope: Scope) -> Scope:
    """The innermost scope that is no comprehension: there `:=` binds."""
    while isinstance(scope.node, COMPREHENSIONS) and scope.parent is not None:
        scope = scope.parent
    return scope


def _is_lazy(scope: Scope) -> bool:
    """Whether code of this scope runs when a generator expression around it is asked."""
    inside = around(scope)
    while scope is not inside and scope.parent is not None:
        if isinstance(scope.node, ast.GeneratorExp):
            return True
        scope = scope.parent
    return False


def bind_around(name: str, scope: Scope) -> None:
    """Record what `:=` binds: in a comprehension it is a name of the scope around."""
    target = around(scope)
    target.bind(name)
    if target is scope:
        return
    scope.outside.setdefault(name, "later" if _is_lazy(scope) else "around")
    inside: Scope | None = scope
    while inside is not None and inside is not target:
        inside.walruses.add(name)
        inside = inside.parent
