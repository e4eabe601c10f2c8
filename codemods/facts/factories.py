"""Factories that a person named in the settings: what their calls give, whoever sees into them.

`models = ["pkg.build_model"]` of `[tool.distify]` (docs/factories.md). A registry, `importlib` or
a library hides what it makes; the name that the file imports it by is all that is seen of it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Mapping
from functools import cached_property

from ..program.families import Families
from .names import Names

MODEL = "model"
Home = Callable[[ast.AST], str]  # the path of the file in which a node of the program stands


class Factories:
    """Answers for the calls of one program; `named`: dotted names, each with a role's word.

    `models` finds the calls that make a model, as what is done with it says.
    """

    def __init__(
        self,
        names: Names,
        classes: Families,
        home: Home,
        named: Mapping[str, str],
        models: Callable[[], Container[ast.Call]] = frozenset,
    ) -> None:
        self._names, self._classes, self._home, self._named = names, classes, home, named
        self._models = models
        self._known: dict[ast.Call, str | None] = {}

    def __bool__(self) -> bool:
        return bool(self._named) or bool(self._compiled)

    @cached_property
    def _compiled(self) -> Container[ast.Call]:
        return self._models()

    def outside(self, call: ast.Call) -> str | None:
        """The name in the settings of what a call runs in code that isn't read."""
        if not self._named:
            return None
        if call not in self._known:
            self._known[call] = self._of_import(self._names.name(call.func))
        return self._known[call]

    def word(self, call: ast.Call) -> str | None:
        """The role of what a call gives, by the settings, or by what is done with it."""
        name = self.outside(call) or self._own(call)
        return self._used_as(call) if name is None else self._named[name]

    def word_outside(self, call: ast.Call) -> str | None:
        """The same of what is made where nobody sees it."""
        name = self.outside(call)
        return self._used_as(call) if name is None else self._named[name]

    def _used_as(self, call: ast.Call) -> str | None:
        return MODEL if call in self._compiled else None

    def _of_import(self, dotted: str | None) -> str | None:
        """A relative import leaves out where the package is."""
        if dotted is None or not dotted.startswith("."):
            return dotted if dotted in self._named else None
        return self._ending(f".{dotted.lstrip('.')}")

    def _ending(self, dotted: str) -> str | None:
        return next((name for name in self._named if f".{name}".endswith(dotted)), None)

    def _own(self, call: ast.Call) -> str | None:
        """The name in the settings of a function that is read; `src/` is no part of its name."""
        function = self._classes.function(call.func) if self._named else None
        if function is None:
            return None
        place = f".{module_of(self._home(function))}.{function.name}"
        return next((name for name in self._named if place.endswith(f".{name}")), None)


def module_of(path: str) -> str:
    """`src.pkg.models` for `src/pkg/models.py`, and the name of a package for its `__init__`."""
    dotted = path.replace("\\", "/").rpartition(".py")[0] or path
    return dotted.replace("/__init__", "").replace("/", ".")
