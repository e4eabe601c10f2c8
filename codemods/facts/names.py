"""Canonical names: one spelling for whatever import, alias or attribute leads to a thing.

Seed 000, `trans_A`, generalised: `tf.keras.optimizers.Adam`, `keras.optimizers.Adam` and
`from tensorflow.keras.optimizers import Adam as A` are all `tensorflow.keras.optimizers.Adam`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from ..library.names import KERAS as KERAS
from ..library.names import normal as normal
from ..program.bindings import Binding, Bindings
from ..program.index import Index
from ..program.program import Program
from ..program.scope import BUILTINS
from ..program.things import OPAQUE, UNKNOWN, Library, Thing

IMPORTERS = ("importlib.import_module", "builtins.__import__")


def imported(binding: Binding) -> str:
    """The full dotted name that an import binding stands for (relative ones start with dots)."""
    alias, node = binding.value, binding.node
    assert isinstance(alias, ast.alias)
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        return f"{module}.{alias.name}" if node.module else module + alias.name
    return alias.name if alias.asname else alias.name.split(".")[0]


class Names:
    """Answers which library thing an expression names."""

    def __init__(
        self,
        index: Index,
        bindings: Callable[[], Bindings],
        program: Callable[[], Program],
        foreign: Collection[ast.AST] = (),
        renamed: Collection[str] = (),
        given: Collection[str] = (),
    ) -> None:
        self._index, self._bindings, self._program = index, bindings, program
        self._foreign, self._renamed = foreign, renamed  # imports of other files, names of ours
        self._given = given  # what other files import, and ours takes of them
        self._known: dict[ast.AST, str | None] = {}

    def name(self, expr: ast.AST) -> str | None:
        """The canonical dotted name of a library thing, None for everything else."""
        if not isinstance(expr, (ast.Name, ast.Attribute)):
            return None
        if expr not in self._known:
            self._known[expr] = self._name(expr)
        return self._known[expr]

    def _name(self, expr: ast.Name | ast.Attribute) -> str | None:
        things = self._program().things(expr)
        if not _may_be_more(things):
            return _one_library(things)
        if isinstance(expr, ast.Name):
            return self._imported(expr)
        is_open = _may_be_more(self._program().things(expr.value))
        base = self.name(expr.value) if is_open else None
        return None if base is None else normal(f"{base}.{expr.attr}")

    def _imported(self, name: ast.Name) -> str | None:
        """What alone is imported under a name that may be None, or is bound by nothing yet.

        `except ImportError: plt = None` beside an import means nothing: None has no attributes. Not
        so beside Horovod's: such a program asks whether it is there.
        """
        bindings = self._bindings().of(name)
        if not bindings:  # any text that runs may bind it
            return f"builtins.{name.id}" if name.id in BUILTINS else None
        found = {normal(imported(each)) for each in bindings if each.kind == "import"}
        others = [each for each in bindings if each.kind != "import"]
        only = found.pop() if len(found) == 1 and all(map(_is_none, others)) else None
        return None if others and (only or "").startswith("horovod") else only

    def meaning(self, binding: Binding) -> str | None:
        """The canonical name of what is imported, or has another name: `Adam = optimizers.Adam`.

        None for `tf = tf.compat.v2`: new code may stand where the name means what it did before.
        """
        if binding.kind == "import":
            return normal(imported(binding))
        is_plain = binding.kind == "assign" and not binding.path  # R03, lifted
        value = binding.value if is_plain else None
        if isinstance(value, ast.Call):
            return self.imported_by(value)
        root = value
        while isinstance(root, ast.Attribute):
            root = root.value
        is_its_own = root is not None and binding in self._bindings().of(root)
        return None if value is None or is_its_own else self.name(value)

    def imported_by(self, call: ast.Call) -> str | None:
        """The module that `importlib.import_module("tensorflow")` gives."""
        given = call.args[0] if len(call.args) == 1 and not call.keywords else None
        text = given.value if isinstance(given, ast.Constant) else None
        is_one = isinstance(text, str) and text.startswith(("tensorflow", "keras"))
        return normal(str(text)) if is_one and self.name(call.func) in IMPORTERS else None

    def imports(self) -> Mapping[str, str]:
        """Local name -> canonical name of the imports at module level."""
        return self._imports

    def name_of(self, module: str) -> str | None:
        """The name under which the module imports another one at module level, if it does."""
        return next((name for name, full in self._imports.items() if full == module), None)

    def name_elsewhere(self, module: str) -> str | None:
        """The name under which other files of the project import it."""
        found = (name for name, full in self._all_imports.items() if full == module)
        return next((name for name in found if name not in self._renamed), None)

    @cached_property
    def _imports(self) -> dict[str, str]:
        every, bound = self._all_imports.items(), self._of_module
        return {n: f for n, f in every if any(self._is_own(n, b) for b in bound[n])}

    def _is_own(self, name: str, binding: Binding) -> bool:
        return name in self._given or binding.node not in self._foreign

    @property
    def _of_module(self) -> Mapping[str, Sequence[Binding]]:
        return self._bindings().inside(self._index.scopes.module)

    @cached_property
    def _all_imports(self) -> dict[str, str]:
        found = {}
        for name, bindings in self._of_module.items():
            if all(b.kind == "import" for b in bindings):
                meanings = {normal(imported(each)) for each in bindings}
                if len(meanings) == 1:
                    found[name] = meanings.pop()
        return found


def _one_library(things: Collection[Thing]) -> str | None:
    found = {normal(each.name) if isinstance(each, Library) else None for each in things}
    return found.pop() if len(found) == 1 else None


def _may_be_more(things: Collection[Thing]) -> bool:
    """Whether it may be something that nobody knows, or None, or of several things one.

    `globals()[name] = f` of any module may bind every name, as far as the engine sees.
    """
    is_known = len(things) == 1 or _one_library(things) is not None
    return not is_known or UNKNOWN in things or OPAQUE in things


def _is_none(binding: Binding) -> bool:
    value = binding.value if binding.kind == "assign" and not binding.path else binding
    return isinstance(value, ast.Constant) and value.value is None
