"""Scopes of one module: which scope owns a name that stands somewhere in it."""

from __future__ import annotations

import ast
from typing import Any, Callable

from .node_fields import nodes_in
from .parts import (
    BINDING,
    FUNCTIONS,
    SCOPES,
    TYPE_ALIASES,
    bound_names,
    inner_parts,
    outer_parts,
    parameters,
    type_parameters,
    typed_parts,
)
from .scope import Scope, bind_around


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
        self._walk()
        declaring = [scope for scope in self.of.values() if scope.outside]
        for scope in declaring:
            names = [name for name, kind in scope.outside.items() if kind == "global"]
            self.module.bound.update(names)
        for scope in declaring:
            _share(scope)

    def _walk(self) -> None:
        stack, around = self._stack, self.around
        while stack:
            node, scope = stack.pop()
            self.steps += 1
            around[node] = scope
            row = _ROWS.get(type(node))
            if row is None or not row(self, node, scope):
                stack += [(part, scope) for part in nodes_in(node)]

    # Rows say True if they went into the node themselves.

    def _name(self, node: ast.Name, scope: Scope) -> bool:
        if isinstance(node.ctx, ast.Load):
            self.loads.append((node, scope))
        else:
            self._bind(node, scope)
        return True

    def _call(self, node: ast.Call, scope: Scope) -> bool:
        self.called.add(node.func)
        return False

    def _bind(self, node: ast.AST, scope: Scope) -> bool:
        for name in bound_names(node):
            self.bindings.append((name, scope))
            scope.bind(name)
        return False

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> bool:
        self.around[node.target] = scope
        self.bindings.append((node.target.id, scope))
        bind_around(node.target.id, scope)
        self._stack.append((node.value, scope))
        return True

    def _declare(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> bool:
        scope.declare(type(node).__name__.lower(), node.names)
        return True

    def _yield(self, node: ast.AST, scope: Scope) -> bool:
        scope.frame.is_generator = True
        return False

    def _type_alias(self, node: Any, scope: Scope) -> bool:
        self._stack += [(node.name, scope), (node.value, self._typed(node, scope))]
        return True

    def _enter(self, node: ast.AST, scope: Scope) -> bool:
        self._bind(node, scope)
        self._stack += [(part, scope) for part in outer_parts(node)]
        scope = self._typed(node, scope)
        self._stack += [(part, scope) for part in typed_parts(node)]
        own = self.of[node] = Scope(node, scope)
        if isinstance(node, FUNCTIONS):
            own.bound.update(p.arg for p in parameters(node))
            self.bindings += [(name, own) for name in own.bound]
        self._stack += [(part, own) for part in inner_parts(node)]
        return True

    def _typed(self, node: ast.AST, scope: Scope) -> Scope:
        """The scope of the type parameters of a node, if it has any."""
        parameters = type_parameters(node)
        if not parameters:
            return scope
        own = self.of[parameters[0]] = Scope(parameters[0], scope)
        self._stack += [(parameter, own) for parameter in parameters]
        return own


_ROWS: dict[type, Callable[[Scopes, Any, Scope], bool]] = {
    **dict.fromkeys(BINDING, Scopes._bind),
    **dict.fromkeys(SCOPES, Scopes._enter),
    **dict.fromkeys(TYPE_ALIASES, Scopes._type_alias),
    **dict.fromkeys((ast.Global, ast.Nonlocal), Scopes._declare),
    **dict.fromkeys((ast.Yield, ast.YieldFrom), Scopes._yield),
    ast.Name: Scopes._name,
    ast.Call: Scopes._call,
    ast.NamedExpr: Scopes._walrus,
}


def _share(scope: Scope) -> None:
    """Note with the owners what other frames bind, and generators that run who knows when."""
    for name, kind in scope.outside.items():
        owner = scope.find(name)
        if owner is not None and kind != "around":
            owner.shared.add(name)
