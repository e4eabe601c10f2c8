"""Which classes of a module derive from which, as far as it shows: each is asked many times."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Callable

from ..program.linearization import Orders, linearized
from .walks import reached

Line = dict[ast.ClassDef, None]  # ordered, and soon asked for one


class Families:
    """`local`: the class of the module that a base names, `classes`: all of the module."""

    def __init__(
        self,
        local: Callable[[ast.AST], ast.ClassDef | None],
        classes: Callable[[], Iterator[ast.ClassDef]],
    ) -> None:
        self._local, self._classes = local, classes
        self._bases: dict[ast.ClassDef, list[ast.ClassDef]] = {}
        self._orders: Orders[ast.ClassDef] = {}
        self._ancestors: dict[ast.ClassDef, Line] = {}
        self._families: dict[ast.ClassDef, Line] = {}

    def ancestors(self, cls: ast.ClassDef) -> Collection[ast.ClassDef]:
        """The class and its local bases in Python's order, or, where it has none, in any."""
        if cls not in self._ancestors:
            order = linearized(cls, self._bases_of, self._orders)
            self._ancestors[cls] = dict.fromkeys(order or reached([cls], self._bases_of))
        return self._ancestors[cls].keys()

    def _bases_of(self, cls: ast.ClassDef) -> list[ast.ClassDef]:
        """The bases of a class in the module, which all classes below it ask for."""
        if cls not in self._bases:
            bases = map(self._local, cls.bases)
            self._bases[cls] = [base for base in bases if base is not None]
        return self._bases[cls]

    def family(self, cls: ast.ClassDef) -> Collection[ast.ClassDef]:
        """The class, its local ancestors and everything derived from it in this module."""
        if cls not in self._families:
            below = self._derived.get(cls, ())
            self._families[cls] = dict.fromkeys([*self.ancestors(cls), *below])
        return self._families[cls].keys()

    @cached_property
    def _derived(self) -> dict[ast.ClassDef, list[ast.ClassDef]]:
        found: dict[ast.ClassDef, list[ast.ClassDef]] = {}
        for each in self._classes():
            for above in self.ancestors(each):
                found.setdefault(above, []).append(each)
        return found
