"""One walk over a module that says what stands where in it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, Union

from .node_fields import nodes_in
from .scope import Scope
from .scopes import Scopes

Node = TypeVar("Node", bound=ast.AST)
Definition = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef]


class Index:
    """The nodes of a module in the order of the text, by what they are; and what is around them."""

    def __init__(self, module: ast.Module) -> None:
        self.module = module
        self.scopes = Scopes(module)
        self.parents: dict[ast.AST, ast.AST] = {}
        self.calls: list[ast.Call] = []
        self.loads: dict[str, list[ast.AST]] = {}  # by name or attribute
        self.definitions: list[Definition] = []  # of functions and classes
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self._nodes: defaultdict[type[ast.AST], list[Any]] = defaultdict(list)
        self._walk(module)

    def nodes(self, kind: type[Node]) -> list[Node]:
        """All nodes of exactly this class of syntax."""
        return self._nodes[kind]

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope in which a node is evaluated."""
        around = self.scopes.around
        while node not in around and node in self.parents:
            node = self.parents[node]
        return around.get(node, self.scopes.module)

    @cached_property
    def names(self) -> set[str]:
        """The names that the module reads or binds."""
        return {*(n.id for n in self.nodes(ast.Name)), *(name for name, _ in self.scopes.bindings)}

    @cached_property
    def star_imports(self) -> list[ast.ImportFrom]:
        """The imports of all that another module has."""
        froms = (node for node in self.imports if isinstance(node, ast.ImportFrom))
        return [node for node in froms if any(alias.name == "*" for alias in node.names)]

    def _walk(self, node: ast.AST) -> None:
        """Every node in the order of the text; no recursion, since sums and chains nest deeply."""
        parents, pending = self.parents, [node]
        while pending:
            node = pending.pop()
            kind = type(node)
            self._nodes[kind].append(node)
            if kind in _NOTES:
                _NOTES[kind](self, node)
            children = nodes_in(node)
            parents.update(dict.fromkeys(children, node))
            pending += children

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loads.setdefault(node.id, []).append(node)

    def _attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loads.setdefault(node.attr, []).append(node)


_NOTES: dict[type, Callable[..., None]] = {
    ast.Name: Index._name,
    ast.Attribute: Index._attribute,
    ast.Call: lambda index, node: index.calls.append(node),
    ast.Import: lambda index, node: index.imports.append(node),
    ast.ImportFrom: lambda index, node: index.imports.append(node),
    **dict.fromkeys(
        (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
        lambda index, node: index.definitions.append(node),
    ),
}
