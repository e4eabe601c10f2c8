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
from ..library.names import takes_attributes
from ..library.star_imports import star_imported
from ..program.bindings import Binding, Bindings
from ..program.index import Index
from ..program.modules import VALUES
from ..program.scope import BUILTINS

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
        foreign: Collection[ast.AST] = (),
        renamed: Collection[str] = (),
        given: Collection[str] = (),
    ) -> None:
        self._index, self._all = index, bindings
        self._foreign, self._renamed = foreign, renamed  # imports of other files, names of ours
        self._given = given  # what other files import, and ours takes of them
        self._known: dict[ast.AST, str | None] = {}
        self._meanings: dict[int, str | None] = {}  # by the id of the bindings of a name

    def bindings(self, node: ast.AST) -> Sequence[Binding]:
        """What may have bound the name that `node` loads; empty for builtins and unknown names."""
        return self._all().of(node)

    def name(self, expr: ast.AST) -> str | None:
        """The canonical dotted name of a library thing, None for everything else."""
        if expr not in self._known:
            self._known[expr] = None  # an alias of itself has no name
            self._known[expr] = self._name(expr)
        return self._known[expr]

    def _name(self, expr: ast.AST) -> str | None:
        if isinstance(expr, ast.Attribute):
            base = self.name(expr.value)
            if base is None or (base in self._keepers and expr.attr in self._keepers[base]):
                return None
            return normal(f"{base}.{expr.attr}")
        if not isinstance(expr, ast.Name):
            return None
        bindings = self.bindings(expr)
        if bindings:
            return self._bound(bindings)
        return self._unbound(expr.id)

    @cached_property
    def _keepers(self) -> dict[str, set[str]]:
        """The attributes that the program itself puts into modules: `tf.model = f()`."""
        found: dict[str, set[str]] = {}
        for node in self._index.nodes(ast.Assign):
            for target in node.targets if isinstance(node.value, VALUES) else ():
                is_named = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
                bindings = self.bindings(target.value) if is_named else []  # type: ignore[attr-defined]
                for full in (normal(imported(b)) for b in bindings if b.kind == "import"):
                    if takes_attributes(full):
                        found.setdefault(full, set()).add(target.attr)  # type: ignore[attr-defined]
        return found

    def _bound(self, bindings: Sequence[Binding]) -> str | None:
        """What the bindings of a name mean: found once, as each module may import TensorFlow."""
        if id(bindings) not in self._meanings:
            self._meanings[id(bindings)] = None  # an alias of itself has no name
            self._meanings[id(bindings)] = self._all_mean(bindings)
        return self._meanings[id(bindings)]

    def _all_mean(self, bindings: Sequence[Binding]) -> str | None:
        """What all of the bindings mean, if that is one thing.

        `except ImportError: plt = None` beside an import means nothing: None has no attributes. Not
        so beside Horovod's: such a program asks whether it is there.
        """
        imports = [binding for binding in bindings if binding.kind == "import"]
        if imports and not any(imported(each).startswith("horovod") for each in imports):
            bindings = [binding for binding in bindings if not _is_none(binding)]
        meaning = self.meaning(bindings[0])
        is_one = meaning and all(self.meaning(each) == meaning for each in bindings[1:])
        return meaning if is_one else None

    def meaning(self, binding: Binding) -> str | None:
        """The canonical name of what is imported, or has another name: `Adam = optimizers.Adam`."""
        if binding.kind == "import":
            return normal(imported(binding))
        is_plain = binding.kind == "assign" and not binding.path  # R03, lifted
        value = binding.value if is_plain else None
        if isinstance(value, ast.Call):
            return self.imported_by(value)
        return self.name(value) if isinstance(value, (ast.Name, ast.Attribute)) else None

    def imported_by(self, call: ast.Call) -> str | None:
        """The module that `importlib.import_module("tensorflow")` gives."""
        given = call.args[0] if len(call.args) == 1 and not call.keywords else None
        text = given.value if isinstance(given, ast.Constant) else None
        is_one = isinstance(text, str) and text.startswith(("tensorflow", "keras"))
        return normal(str(text)) if is_one and self.name(call.func) in IMPORTERS else None

    def _unbound(self, name: str) -> str | None:
        if self._index.star_imports and name not in BUILTINS:
            return self._starred(name)
        return f"builtins.{name}" if name in BUILTINS else None

    def _starred(self, name: str) -> str | None:
        """What a star import of a library binds: the only one decides, or what Keras exports."""
        stars = [n.module for n in self._index.star_imports if n.module and not n.level]
        found = star_imported(name, map(normal, stars))
        return None if found is None else normal(found)

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
        return self._all().inside(self._index.scopes.module)

    @cached_property
    def _all_imports(self) -> dict[str, str]:
        found = {}
        for name, bindings in self._of_module.items():
            if all(b.kind == "import" for b in bindings):
                full = self._bound(bindings)
                if full is not None:
                    found[name] = full
        return found


def _is_none(binding: Binding) -> bool:
    value = binding.value if binding.kind == "assign" and not binding.path else binding
    return isinstance(value, ast.Constant) and value.value is None
