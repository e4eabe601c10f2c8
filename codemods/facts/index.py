"""One walk over a module that binds every name in its scope and says what stands where."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from ..program.node_fields import nodes_in
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

Node = TypeVar("Node", bound=ast.AST)


class Index:
    """One walk over a module: parents, scopes, bindings, calls and attribute assignments."""

    def __init__(self, module: ast.Module) -> None:
        self.module = module
        self.parents: dict[ast.AST, ast.AST] = {}
        self._nodes: list[ast.AST] = []
        self.owners = Scopes(module)
        self._all: dict[Owner, Scope] = {}
        self.scopes: dict[ast.AST, Scope] = {module: self._scope(self.owners.module)}
        self.calls: list[ast.Call] = []
        self.names: set[str] = set()
        self.loads: dict[str, list[ast.AST]] = {}  # by name or attribute
        self.attribute_stores: dict[str, list[tuple[ast.Attribute, Binding]]] = {}
        self.star_imports: list[ast.ImportFrom] = []
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self._walk(module)

    def nodes(self, *kinds: type[Node]) -> list[Node]:
        """All nodes of these classes of syntax, in the order of the text."""
        return [node for node in self._nodes if isinstance(node, kinds)]

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

    # -- the walk -----------------------------------------------------------------------------

    def _walk(self, node: ast.AST) -> None:
        """Every node in the order of the text; no recursion, since sums and chains nest deeply."""
        parents, pending = self.parents, [node]
        while pending:
            node = pending.pop()
            kind = type(node)
            self._nodes.append(node)
            if kind in _NOTES:
                _NOTES[kind](self, node)
            elif kind in _HANDLERS:
                _HANDLERS[kind](self, node, self.scope_of(node))
            children = nodes_in(node)
            parents.update(dict.fromkeys(children, node))
            pending += children

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

    def _name(self, node: ast.Name) -> None:
        self.names.add(node.id)
        if isinstance(node.ctx, ast.Load):
            self.loads.setdefault(node.id, []).append(node)
        elif isinstance(node.ctx, ast.Del):
            self._other(node.id, node, self.scope_of(node))

    def _attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loads.setdefault(node.attr, []).append(node)

    def _call(self, node: ast.Call) -> None:
        self.calls.append(node)


def _all_arguments(args: ast.arguments) -> list[ast.arg]:
    found = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return found + [arg for arg in (args.vararg, args.kwarg) if arg is not None]


_HANDLERS: dict[type, Callable[..., None]] = {
    ast.FunctionDef: Index._function,
    ast.AsyncFunctionDef: Index._function,
    ast.Lambda: Index._lambda,
    ast.ClassDef: Index._class,
    **dict.fromkeys(Comprehension, Index._comprehension),
    ast.Assign: Index._assign,
    ast.AnnAssign: Index._annotated,
    ast.AugAssign: Index._augmented,
    ast.NamedExpr: Index._walrus,
    ast.For: Index._for,
    ast.AsyncFor: Index._for,
    ast.With: Index._with,
    ast.AsyncWith: Index._with,
    ast.Import: Index._import,
    ast.ImportFrom: Index._import_from,
    ast.ExceptHandler: Index._except,
}
_NOTES: dict[type, Callable[..., None]] = {  # these need no scope
    ast.Name: Index._name,
    ast.Attribute: Index._attribute,
    ast.Call: Index._call,
}
for _pattern in ("MatchAs", "MatchStar", "MatchMapping"):  # Python 3.10 and later
    if hasattr(ast, _pattern):
        _HANDLERS[getattr(ast, _pattern)] = Index._capture
