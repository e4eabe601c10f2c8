"""What an imported name stands for: a variable of a module of the project, or such a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.records import NamedTuple
from ..program.scope import Scope
from .files import File, Variable
from .import_order import Reach
from .import_paths import Import


class Target(NamedTuple):
    """A variable of a module; without a name the module itself, which may be a folder."""

    path: str
    name: str = ""


class Targets:
    """Answers what the names that a project's files import are."""

    def __init__(self, reach: Reach) -> None:
        self._paths, self._files = reach.paths, reach.files
        self._aside = {path: reach.project.sketch(path).names for path in reach.aside}
        self._known: dict[tuple[str, Variable], Target | None] = {}

    def of(self, file: File, name: str, scope: Scope) -> Target | None:
        """What a name that a file loads is, if the project has it under another file's name."""
        owner = scope.find(name)
        if owner is None:
            return self._starred(file, name, frozenset())
        return self._imported(file, (owner, name), frozenset())

    def _imported(self, file: File, variable: Variable, seen: frozenset[Target]) -> Target | None:
        """What all the imports that bind a variable give, if nothing else binds it."""
        key = (file.path, variable)
        if key not in self._known:
            aliases = file.aliases.get(variable, [])
            is_all = len(aliases) == file.bindings[variable]
            is_all = is_all and not isinstance(variable[0].node, ast.ClassDef)
            found = {self.bound(file, *each, seen) for each in aliases} if is_all else set()
            self._known[key] = found.pop() if len(found) == 1 else None
        return self._known[key]

    def bound(
        self, file: File, node: Import, alias: ast.alias, seen: frozenset[Target] = frozenset()
    ) -> Target | None:
        """What one import binds."""
        if isinstance(node, ast.Import):
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            return self._module(self._paths.absolute(name))
        module = self._paths.imported(file.path, node)
        return None if module is None else self.member(Target(module), alias.name, seen)

    def member(
        self, module: Target, name: str, seen: frozenset[Target] = frozenset()
    ) -> Target | None:
        """What `module.name` is."""
        file, target = self._files.get(module.path), Target(module.path, name)
        if target in seen:  # a package that imports its own module by the name that this binds
            return self._module(self._paths.child(module.path, name))
        if name in self._aside.get(module.path, ()):
            return target
        if file is not None and name in file.names:
            variable = (file.module, name)
            if variable not in file.aliases or self._is_outside(file, variable):
                return target
            return self._imported(file, variable, seen | {target})
        child = self._module(self._paths.child(module.path, name))
        if child is not None or file is None:
            return child
        return self._starred(file, name, seen | {target})

    def may_have(self, module: Target, name: str) -> bool:
        """Whether a module may have something of this name."""
        file = self._files.get(module.path)
        if file is None or name in file.names:
            return True
        return not all(self.starred(file, star) for star in file.stars) or (
            self.member(module, name) is not None
        )

    def choices(self, module: Target) -> Iterator[tuple[str, Target]]:
        """The variables of a module that a name may pick, and what each of them is."""
        file = self._files.get(module.path)
        for name in sorted(file.names) if file is not None else ():
            aliases = file.aliases.get((file.module, name))  # type: ignore[union-attr]
            is_library = aliases and self._is_outside(file, (file.module, name))  # type: ignore
            found = None if is_library or name.startswith("_") else self.member(module, name)
            if found is not None and found.name:
                yield name, found

    def _is_outside(self, file: File, variable: Variable) -> bool:
        """Whether each import that binds it is one of a library."""
        return all(self.leads_outside(file, node) for node, _ in file.aliases[variable])

    def leads_outside(self, file: File, node: Import) -> bool:
        """Whether an import names no module of the project."""
        if isinstance(node, ast.Import):
            return all(self._paths.absolute(alias.name) is None for alias in node.names)
        return not node.level and self._paths.imported(file.path, node) is None

    def _starred(self, file: File, name: str, seen: frozenset[Target]) -> Target | None:
        found = {self._from_star(file, star, name, seen) for star in file.stars} - {None}
        return found.pop() if len(found) == 1 else None

    def _from_star(
        self, file: File, star: ast.ImportFrom, name: str, seen: frozenset[Target]
    ) -> Target | None:
        other = self.starred(file, star)
        if other is None or other.exported is None:
            return None
        is_given = name in other.exported or (not name.startswith("_") and other.stars)
        return self.member(Target(other.path), name, seen) if is_given else None

    def starred(self, file: File, star: ast.ImportFrom) -> File | None:
        """The file of the project all of whose names an import takes, if they can be known."""
        other = self._files.get(self._paths.imported(file.path, star) or "")
        return None if other is None or other.exported is None else other

    def _module(self, path: str | None) -> Target | None:
        is_known = path is not None and (path in self._files or path.endswith("/"))
        is_known = is_known or path in self._aside
        return Target(path) if path is not None and is_known else None
