"""Scopes of one module: which scope owns a name that stands somewhere in it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .node_fields import nodes_in
from .parts import (
    BINDING,
    COMPREHENSIONS,
    FUNCTIONS,
    SCOPES,
    TYPE_ALIASES,
    TYPE_PARAMETERS,
    bound_names,
    inner_parts,
    outer_parts,
    parameters,
    type_parameters,
    typed_parts,
)


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


_OTHERS = (ast.Call, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_NOTED = frozenset((*BINDING, *SCOPES, *TYPE_ALIASES, *_OTHERS))


class Scopes:
    """The scope of every node that makes one, and of the first of the parameters of a type."""

    def __init__(self, module: ast.Module) -> None:
        self.module = Scope(module, None)
        self.of: dict[ast.AST, Scope] = {module: self.module}
        self.around: dict[ast.AST, Scope] = {}  # where each node is evaluated, or bound
        self.bindings: list[tuple[str, Scope]] = []  # each name that is bound, with where it stands
        self.loads: list[tuple[ast.Name, Scope]] = []
        self.called: set[ast.AST] = set()  # what is called by its own name, not handed on
        self.steps = 0
        self._stack: list[tuple[ast.AST, Scope]] = [(part, self.module) for part in module.body]
        while self._stack:
            self._visit(*self._stack.pop())
        declaring = [scope for scope in self.of.values() if scope.outside]
        for scope in declaring:
            names = [name for name, kind in scope.outside.items() if kind == "global"]
            self.module.bound.update(names)
        for scope in declaring:
            _share(scope)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        self.steps += 1
        self.around[node] = scope
        if type(node) not in _NOTED:
            self._stack += [(part, scope) for part in nodes_in(node)]
            return
        if isinstance(node, ast.NamedExpr):
            self.around[node.target] = scope
            self.bindings.append((node.target.id, scope))
            _bind_around(node.target.id, scope)
            self._stack.append((node.value, scope))
            return
        for name in bound_names(node):
            self.bindings.append((name, scope))
            scope.bind(name)
        if isinstance(node, SCOPES):
            self._enter(node, scope)
            return
        self._note(node, scope)
        if isinstance(node, TYPE_ALIASES):
            self._stack.append((node.name, scope))  # type: ignore[attr-defined]
            scope = self._typed(node, scope)
            self._stack.append((node.value, scope))  # type: ignore[attr-defined]
            return
        self._stack += [(part, scope) for part in nodes_in(node)]

    def _note(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.loads.append((node, scope))
        elif isinstance(node, ast.Call):
            self.called.add(node.func)
        elif isinstance(node, ast.Global):
            scope.declare("global", node.names)
        elif isinstance(node, ast.Nonlocal):
            scope.declare("nonlocal", node.names)
        elif isinstance(node, (ast.Yield, ast.YieldFrom)):
            scope.frame.is_generator = True

    def _enter(self, node: ast.AST, scope: Scope) -> None:
        self._stack += [(part, scope) for part in outer_parts(node)]
        scope = self._typed(node, scope)
        self._stack += [(part, scope) for part in typed_parts(node)]
        own = self.of[node] = Scope(node, scope)
        if isinstance(node, FUNCTIONS):
            own.bound.update(p.arg for p in parameters(node))
            self.bindings += [(name, own) for name in own.bound]
        self._stack += [(part, own) for part in inner_parts(node)]

    def _typed(self, node: ast.AST, scope: Scope) -> Scope:
        """The scope of the type parameters of a node, if it has any."""
        parameters = type_parameters(node)
        if not parameters:
            return scope
        own = self.of[parameters[0]] = Scope(parameters[0], scope)
        self._stack += [(parameter, own) for parameter in parameters]
        return own


def _share(scope: Scope) -> None:
    """Note with the owners what other frames bind, and generators that run who knows when."""
    for name, kind in scope.outside.items():
        owner = scope.find(name)
        if owner is not None and kind != "around":
            owner.shared.add(name)


def around(scope: Scope) -> Scope:
    """The innermost scope that is no comprehension: there `:=` binds."""
    while isinstance(scope.node, COMPREHENSIONS) and scope.parent is not None:
        scope = scope.parent
    return scope


def is_lazy(scope: Scope) -> bool:
    """Whether code of this scope runs when a generator expression around it is asked."""
    inside = around(scope)
    while scope is not inside and scope.parent is not None:
        if isinstance(scope.node, ast.GeneratorExp):
            return True
        scope = scope.parent
    return False


def _bind_around(name: str, scope: Scope) -> None:
    target = around(scope)
    target.bind(name)
    if target is scope:
        return
    scope.outside.setdefault(name, "later" if is_lazy(scope) else "around")
    inside: Scope | None = scope
    while inside is not None and inside is not target:
        inside.walruses.add(name)
        inside = inside.parent
