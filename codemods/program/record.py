"""What the walks over the frames of a module find out together."""

from __future__ import annotations

import ast

from .outer import Outer
from .records import NamedTuple
from .scope import Scope
from .scopes import Scopes
from .state import Key
from .versions import Condition, Path, Version


class Place(NamedTuple):
    """Where a statement stands: its scope, and what was bound in its frame until then."""

    scope: Scope
    log: list[tuple[Key, Version]]
    length: int


class Record:
    """What the walks over all frames of a module find out; see `Order` for the meaning."""

    def __init__(self, scopes: Scopes) -> None:
        self.scopes, self.outer = scopes, Outer(scopes)
        self.reads: dict[ast.Name, Version] = {}
        self.cells: dict[Key, Version] = {}
        self.foreign: dict[Key, Version] = {}
        self.stores: list[tuple[ast.AST, ast.AST, Path]] = []
        self.stars: list[ast.ImportFrom] = []
        self.loads: dict[str, list[ast.Name]] = {}
        self.conditions: dict[ast.AST, Condition] = {}
        self.iterables: dict[ast.expr, None] = {}
        self.frames: list[ast.AST] = []
        self.places: dict[ast.stmt, Place] = {}

    def cell(self, key: Key) -> Version:
        """All bindings of a variable together."""
        return self.cells.setdefault(key, Version("cell", args=[]))

    def of_others(self, key: Key) -> Version:
        """The bindings of a variable that code of other frames makes."""
        return self.foreign.setdefault(key, Version("cell", args=[]))
