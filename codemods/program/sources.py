"""One module of a project, with its scopes and the order of its bindings."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Union

from .order import Order
from .scope import Scope
from .versions import Version

AnyFunction = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]


class Source:
    """A module's tree, its dotted name, and the versions of its variables."""

    def __init__(
        self, name: str, module: str | ast.Module | Order, is_folder: bool = False
    ) -> None:
        self.is_folder = is_folder
        self.is_package = name == "__init__" or name.endswith(".__init__")
        self.name = name.rpartition(".")[0] if self.is_package else name
        tree = ast.parse(module) if isinstance(module, str) else module
        self.order = Order(tree) if isinstance(tree, ast.Module) else tree
        self.node = self.order.module
        self._owners: dict[Version, ast.AST] | None = None

    def scope(self, node: ast.AST) -> Scope:
        """The scope that a module, class, function or comprehension makes."""
        return self.order.scopes[node]

    def owner(self, version: Version) -> ast.AST | None:
        """The module or function whose code runs where a variable lives, by its cell."""
        if self._owners is None:
            order = self.order
            pairs = [*order.cells.items(), *order.foreign.items()]
            self._owners = {cell: key[0].frame.node for key, cell in pairs}
        return self._owners.get(version)

    def every_binding(self, scope: Scope, name: str) -> Version:
        """The version that stands for all bindings of a variable."""
        return self.order.cell((scope, name))


def folders(sources: Iterable[Source]) -> list[Source]:
    """The folders above modules that are no packages: they can be imported too."""
    names = {source.name for source in sources}
    found: dict[str, None] = {}
    for name in names:
        parts = name.split(".")
        above = (".".join(parts[:number]) for number in range(1, len(parts)))
        found.update(dict.fromkeys(each for each in above if each not in names))
    empty = [f"{name}.__init__" for name in sorted(found)]
    return [Source(name, ast.Module([], []), is_folder=True) for name in empty]
