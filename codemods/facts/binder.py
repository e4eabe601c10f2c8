"""Which names a module binds in which scopes, and how: one method for each kind of syntax."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..program.scope import Scope as Owner
from ..program.scopes import Scopes
from .scopes import (
    EACH,
    Binding,
    Comprehension,
    Function,
    Path,
    Scope,
)


class Binder:
    """The scopes of a module, with what is bound in them and stored in attributes."""

    def __init__(self, module: ast.Module) -> None:
        self.module = module
        self.parents: dict[ast.AST, ast.AST] = {}
        self.owners = Scopes(module)
        self._all: dict[Owner, Scope] = {}
        self.scopes: dict[ast.AST, Scope] = {module: self._scope(self.owners.module)}
        self.names: set[str] = set()
        self.attribute_stores: dict[str, list[tuple[ast.Attribute, Binding]]] = {}
        self.star_imports: list[ast.ImportFrom] = []
        self.imports: list[ast.Import | ast.ImportFrom] = []

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope in which `node` is evaluated."""
        around = self.owners.around
        while node not in around and node in self.parents:
            node = self.parents[node]
        return self._scope(around.get(node, self.owners.module))

    def _scope(self, owner: Owner) -> Scope:
        if owner not in self._all:
            self._all[owner] = Scope(owner, self._all)
        return self._all[owner]

    def _open(self, node: ast.AST) -> Scope:
        """The scope that a node makes."""
        self.scopes[node] = scope = self._scope(self.owners.of[node])
        return scope

    def _function(self, node: Function, scope: Scope) -> None:
        self.names.add(node.name)
        scope.bind(node.name, Binding("def", node, node))
        self._parameters(node.args, self._open(node))

    def _parameters(self, args: ast.arguments, inner: Scope) -> None:
        for arg in _all_arguments(args):
            self.names.add(arg.arg)
            inner.bind(arg.arg, Binding("param", arg))

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        self._parameters(node.args, self._open(node))

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        self.names.add(node.name)
        scope.bind(node.name, Binding("class", node, node))
        self._open(node)

    def _comprehension(self, node: ast.AST, scope: Scope) -> None:
        inner = self._open(node)
        for generator in node.generators:  # type: ignore[attr-defined]
            binding = Binding("for", generator, generator.iter, (EACH,))
            self._target(generator.target, binding, inner)

    def _target(self, target: ast.AST, binding: Binding, scope: Scope) -> None:
        """Bind every name of an assignment's target, with its path inside the value."""
        if isinstance(target, ast.Name):
            self.names.add(target.id)
            scope.bind(target.id, binding)
        elif isinstance(target, ast.Attribute):
            self.attribute_stores.setdefault(target.attr, []).append((target, binding))
        elif isinstance(target, (ast.Tuple, ast.List)):
            starred = False
            for number, element in enumerate(target.elts):
                starred = starred or isinstance(element, ast.Starred)  # from there on, who knows
                step: Path = (EACH,) if starred else (number,)
                path = binding.path + step
                self._target(
                    element, Binding(binding.kind, binding.node, binding.value, path), scope
                )
        elif isinstance(target, ast.Starred):
            self._target(target.value, binding, scope)

    def _assign(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._target(target, Binding("assign", node, node.value), scope)

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self._target(node.target, Binding("assign", node, node.value), scope)

    def _augmented(self, node: ast.AugAssign, scope: Scope) -> None:
        self._target(node.target, Binding("aug", node, node), scope)

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> None:
        self._target(node.target, Binding("assign", node, node.value), scope)

    def _for(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self._target(node.target, Binding("for", node, node.iter, (EACH,)), scope)

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        for item in node.items:
            if item.optional_vars is not None:
                self._target(item.optional_vars, Binding("with", node, item.context_expr), scope)

    def _import(self, node: ast.Import, scope: Scope) -> None:
        self.imports.append(node)
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self.names.add(name)
            scope.bind(name, Binding("import", node, alias))

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        self.imports.append(node)
        for alias in node.names:
            if alias.name == "*":
                self.star_imports.append(node)
                continue
            name = alias.asname or alias.name
            self.names.add(name)
            scope.bind(name, Binding("import", node, alias))

    def _except(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name:
            self._other(node.name, node, scope)

    def _capture(self, node: ast.AST, scope: Scope) -> None:
        """`match` patterns bind names (MatchAs, MatchStar, MatchMapping)."""
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        if name:
            self._other(name, node, scope)

    def _other(self, name: str, node: ast.AST, scope: Scope) -> None:
        self.names.add(name)
        scope.bind(name, Binding("other", node))


def _all_arguments(args: ast.arguments) -> list[ast.arg]:
    found = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return found + [arg for arg in (args.vararg, args.kwarg) if arg is not None]


HANDLERS: dict[type, Callable[..., None]] = {
    ast.FunctionDef: Binder._function,
    ast.AsyncFunctionDef: Binder._function,
    ast.Lambda: Binder._lambda,
    ast.ClassDef: Binder._class,
    **dict.fromkeys(Comprehension, Binder._comprehension),
    ast.Assign: Binder._assign,
    ast.AnnAssign: Binder._annotated,
    ast.AugAssign: Binder._augmented,
    ast.NamedExpr: Binder._walrus,
    ast.For: Binder._for,
    ast.AsyncFor: Binder._for,
    ast.With: Binder._with,
    ast.AsyncWith: Binder._with,
    ast.Import: Binder._import,
    ast.ImportFrom: Binder._import_from,
    ast.ExceptHandler: Binder._except,
}
for _pattern in ("MatchAs", "MatchStar", "MatchMapping"):  # Python 3.10 and later
    if hasattr(ast, _pattern):
        HANDLERS[getattr(ast, _pattern)] = Binder._capture
