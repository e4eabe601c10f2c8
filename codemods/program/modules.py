"""Which import names which module of the project; what a module gives to others."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from .core import Core, Load, Store
from .edges import Edge
from .origins import Step
from .sources import Source
from .things import LEFT, Library, Module
from .variables import Variables

VALUES = (ast.Call, ast.List, ast.Dict)  # a function would stand for one of the module's own


class Modules:
    """The modules of a project by their names."""

    def __init__(self, core: Core, variables: Variables, sources: Collection[Source]) -> None:
        self._core, self._variables = core, variables
        self.of = {source.name: Module(source) for source in sources}
        self._below = _below(list(self.of.values()))
        core.loads[Module] = self.load
        core.stores[Module] = self.store
        core.loads[Library] = self._library_member
        core.stores[Library] = self._keep
        self._kept = {name for source in sources for name in _kept(source)}

    def load(self, module: Module, load: Load) -> None:
        """Read a variable of a module."""
        if isinstance(load.step, tuple) and load.step[0] == ".":
            self._core.edge(self.variable(module, load.step[1]), load.target, Edge.ALIAS)
        else:  # `globals()["name"]`
            key = load.step[1] if isinstance(load.step, tuple) else None
            if isinstance(key, str):
                self._core.edge(self.variable(module, key), load.target, Edge.ALIAS)
            else:
                self._core.unknown(load.target)

    def _keep(self, thing: Library, store: Store) -> str | None:
        """`tf.model = …`: an attribute of the program's own."""
        if not self._is_kept(thing, store.step):
            return LEFT
        place = self._core.place(("kept", thing, store.step[1]))
        self._core.put(store.value, place, Edge.STORED, store.conditions)
        return None

    def _is_kept(self, thing: Library, step: Step) -> bool:
        is_named = isinstance(step, tuple) and step[0] == "." and step[1] in self._kept
        return is_named and self._core.questions.takes_attributes(thing.name)

    def _library_member(self, thing: Library, load: Load) -> None:
        if self._is_kept(thing, load.step):
            place = self._core.place(("kept", thing, load.step[1]))
            self._core.edge(place, load.target, Edge.ALIAS)
        elif isinstance(load.step, tuple) and load.step[0] == ".":
            self._core.hold(load.target, self._member(thing, load.step[1]))
        else:
            self._core.member(load)

    def _member(self, thing: Library, name: str) -> Library:
        """`.settings` of `from . import settings`, `numpy.array` of `numpy`."""
        dot = "" if thing.name.endswith(".") else "."
        return self._core.library(f"{thing.name}{dot}{name}")

    def variable(self, module: Module, name: str) -> int:
        """The node of what a module's variable may hold, seen from outside."""
        scope = module.source.scope(module.source.node)
        if name in scope.bound:
            every = module.source.every_binding(scope, name)
            return self._variables.version(module.source, every)
        n = self._core.ids.get((module, "variable", name))
        if n is None:
            n = self._core.node((module, "variable", name))
            full = f"{module.source.name}.{name}" if module.source.name else name
            child = self.of.get(full)
            if child is not None:
                self._core.hold(n, child)
            elif module.source.is_folder:  # a library of that name comes first
                self._core.hold(n, self._core.library(full))
            if module.source.order.stars:
                self._core.later(self._starred, module, name, n)
        return n

    def gives(self, source: Source, name: str) -> bool:
        """Whether a star import gives a module what the project has by the name of a builtin."""
        waiting = [] if name.startswith("_") else [source]
        for each in waiting:
            found = (self.imported(each, star) for star in each.order.stars)
            others = [m.source for m in found if isinstance(m, Module) and m.source not in waiting]
            if any(name in other.scope(other.node).bound for other in others):
                return True
            waiting += others
        return False

    def _starred(self, module: Module, name: str, n: int) -> None:
        found = [self.imported(module.source, star) for star in module.source.order.stars]
        for library in self._exporting([f for f in found if isinstance(f, Library)], name):
            self._core.hold(n, self._core.library(f"{library.name}.{name}"))
        for other in found:
            if isinstance(other, Module) and other is not module and not name.startswith("_"):
                self._core.edge(self.variable(other, name), n, Edge.ALIAS)

    def _exporting(self, libraries: list[Library], name: str) -> list[Library]:
        """The one that is known to have a name, and to bind it last; all of them if none is."""
        known = [each for each in libraries if self._core.questions.exports(each.name, name)]
        return known[-1:] or libraries

    def store(self, module: Module, store: Store) -> None:
        """`other.k = v`, `globals()["k"] = v`: every load of the variable may see it."""
        core, name = self._core, store.step[1]
        if isinstance(name, str):
            place = self.variable(module, name)
            core.put(store.value, place, Edge.STORED, store.conditions)
        loads = module.source.order.loads
        for each in [name] if isinstance(name, str) else list(loads):
            for load in loads.get(each, ()):
                core.put(store.value, core.node(load), Edge.STORED, store.conditions)

    def bind(self, source: Source, node: ast.AST, alias: ast.alias, n: int) -> None:
        """Let a node be what an import binds."""
        if isinstance(node, ast.ImportFrom):
            module = self.imported(source, node)
            if isinstance(module, Module):
                self._core.edge(self.variable(module, alias.name), n, Edge.ALIAS)
                return
            self._core.hold(n, self._member(module, alias.name))
            return
        name = alias.name if alias.asname else alias.name.split(".")[0]
        self._core.hold(n, self.found(source, name) or self._core.library(name))

    def imported(self, source: Source, node: ast.ImportFrom) -> Module | Library:
        """The module that `from … import` names; a library if the project has none of that name."""
        name = node.module or ""
        if node.level:
            parts = source.name.split(".") if source.name else []
            above = node.level - (1 if source.is_package else 0)
            package = parts[: len(parts) - above] if above <= len(parts) else []
            full = ".".join([*package, *([name] if name else [])])
            found = self.of.get(full) if full else None
            return found or self._core.library("." * node.level + name)
        return self.found(source, name) or self._core.library(name)

    def found(self, source: Source, name: str) -> Module | None:
        """The project's module of a name: as it stands, beside the importing file, below a folder.

        A script finds modules of its own folder, wherever that stands in the project.
        """
        folder = _folder(source)
        beside = self.of.get(f"{folder}.{name}") if folder else None
        if beside is not None or name in self.of:
            return beside or self.of[name]
        below = self._below.get(name, [])
        return below[0] if len(below) == 1 else None


def _kept(source: Source) -> Iterator[str]:
    """The attributes that a module puts into what it imports."""
    imports = (n for n in source.node.body if isinstance(n, (ast.Import, ast.ImportFrom)))
    names = {each.asname or each.name.partition(".")[0] for node in imports for each in node.names}
    for target, value, path in source.order.stores:
        base = target.value if isinstance(target, ast.Attribute) else None
        if not path and isinstance(base, ast.Name) and isinstance(value, VALUES):
            yield from [target.attr] if base.id in names else []  # type: ignore[attr-defined]


def _below(modules: Collection[Module]) -> dict[str, list[Module]]:
    """The modules by their names as seen from the folders above them that are no packages."""
    found: dict[str, list[Module]] = {}
    packages = {m.source.name for m in modules if m.source.is_package and not m.source.is_folder}
    for module in modules:
        parts = module.source.name.split(".")
        for start in range(len(parts) - 1, 0, -1):
            if ".".join(parts[:start]) in packages:
                continue
            found.setdefault(".".join(parts[start:]), []).append(module)
    return found


def _folder(source: Source) -> str:
    return source.name if source.is_package else source.name.rpartition(".")[0]
