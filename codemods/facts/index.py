"""One walk over a module that binds every name in its scope and says what stands where."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

from ..program.node_fields import nodes_in
from .binder import HANDLERS, Binder

Node = TypeVar("Node", bound=ast.AST)


class Index(Binder):
    """One walk over a module: parents, scopes, bindings, calls and attribute assignments."""

    def __init__(self, module: ast.Module) -> None:
        super().__init__(module)
        self._nodes: defaultdict[type[ast.AST], list[Any]] = defaultdict(list)
        self.calls: list[ast.Call] = []
        self.loads: dict[str, list[ast.AST]] = {}  # by name or attribute
        self._walk(module)

    def nodes(self, kind: type[Node]) -> list[Node]:
        """All nodes of exactly this class of syntax, in the order of the text."""
        return self._nodes[kind]

    def _walk(self, node: ast.AST) -> None:
        """Every node in the order of the text; no recursion, since sums and chains nest deeply."""
        parents, pending = self.parents, [node]
        while pending:
            node = pending.pop()
            kind = type(node)
            self._nodes[kind].append(node)
            if kind in _NOTES:
                _NOTES[kind](self, node)
            elif kind in HANDLERS:
                HANDLERS[kind](self, node, self.scope_of(node))
            children = nodes_in(node)
            parents.update(dict.fromkeys(children, node))
            pending += children

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


_NOTES: dict[type, Callable[..., None]] = {  # these need no scope
    ast.Name: Index._name,
    ast.Attribute: Index._attribute,
    ast.Call: Index._call,
}
