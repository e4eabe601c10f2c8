"""Every place in a project's files that means a variable of another file, or of its own."""

from __future__ import annotations

import ast

from ..program.records import NamedTuple
from ..program.scope import Scope
from .files import File, Variable
from .paths import Import
from .picks import ASKS, GETS, Pick, pick, picking
from .reach import Reach
from .targets import Target, Targets


class Reference(NamedTuple):
    """An expression that means a module's variable, and where it stands."""

    node: ast.Name | ast.Attribute
    scope: Scope
    target: Target


class References:
    """The references of all files; `changed`: the modules that somebody may change, and where."""

    def __init__(self, reach: Reach) -> None:
        self._files, self._targets = reach.files, Targets(reach)
        self.changed = dict(reach.hidden)
        self.kept: set[ast.alias] = set()  # what somebody still needs by its own name
        self.of: dict[str, list[Reference]] = {}
        self.picks: dict[str, list[Pick]] = {}
        for file in (*reach.files.values(), reach.entry):
            self.of[file.path], self.picks[file.path] = [], []
            self._imports(file)
            for star in file.stars:
                self._star(file, star)
            for node, scope in file.scopes.loads:
                self._load(file, node, scope)

    def _load(self, file: File, node: ast.Name, scope: Scope) -> None:
        target = self._targets.of(file, node.id, scope)
        if target is None:
            if scope.find(node.id) is file.module:
                own = Target(file.path, node.id)
                self.of[file.path].append(Reference(node, scope, own))
            return
        if self._is_picked(file, node, target):
            return
        found = self._member(file, node, target)
        if found is None:
            owner = scope.find(node.id) or file.module
            self.kept.update(alias for _, alias in file.aliases.get((owner, node.id), ()))
        else:
            self.of[file.path].append(found._replace(scope=scope))

    def _is_picked(self, file: File, node: ast.Name, target: Target) -> bool:
        """Whether one of a module's variables is picked by its name: each of them is meant."""
        call = None if target.name else picking(file, node, GETS)
        meant = dict(self._targets.choices(target)) if call is not None else {}
        if call is None or not meant:
            return False
        picked = pick(call, iter(meant))
        self.picks[file.path].append(picked)
        for name, new in picked.values.items():
            self.of[file.path].append(Reference(new, file.module, meant[name]))
        return True

    def _member(self, file: File, node: ast.Name, target: Target) -> Reference | None:
        """The attribute of a module that is meant; None where the module is handed on."""
        expr: ast.Name | ast.Attribute = node
        while not target.name:
            parent = file.parents[expr]
            if not isinstance(parent, ast.Attribute):
                if picking(file, expr, ASKS) is not None:
                    return None
                self._note_change(target.path, file, parent)
                return None
            found = self._targets.member(target, parent.attr)
            if not isinstance(parent.ctx, ast.Load):
                self._note_change(target.path, file, parent)
                return None
            if found is None:
                return None
            expr, target = parent, found
        return Reference(expr, file.module, target)

    def _imports(self, file: File) -> None:
        """Note the modules that are bound to names which nobody can follow."""
        for (owner, name), aliases in file.aliases.items():
            if self._targets.of(file, name, owner) is not None:
                continue
            for node, alias in aliases:
                self.kept.add(alias)
                found = self._targets.bound(file, node, alias)
                if found is not None and not found.name:
                    self._note_change(found.path, file, node)

    def _star(self, file: File, star: ast.ImportFrom) -> None:
        """A module that binds a name of the file's own can't be followed: the later one counts."""
        other = self._targets.starred(file, star)
        if other is None:
            return
        names = (other.exported or frozenset()) & file.names
        if not all(_is_same_import(file, other, name) for name in names):
            self._note_change(other.path, file, star)

    def _note_change(self, path: str, file: File, node: ast.AST) -> None:
        self.changed.setdefault(path, f"{file.path}:{getattr(node, 'lineno', 1)}")

    def is_replaced(self, file: File, variable: Variable) -> bool:
        """Whether a variable of a file is never needed, since each use of it is a reference."""
        aliases = file.aliases.get(variable, [])
        return bool(aliases) and all(self.is_needless(file, *each) for each in aliases)

    def is_needless(self, file: File, node: Import, alias: ast.alias) -> bool:
        """Whether all uses of what an import binds are references, so that it is needed no more."""
        if alias.name != "*":
            return alias not in self.kept and not self._targets.leads_outside(file, node)
        return isinstance(node, ast.ImportFrom) and self._targets.starred(file, node) is not None


def full_names(file: File, name: str) -> set[str]:
    """The libraries' things that a variable of a module is; none where it is something else."""
    aliases = file.aliases.get((file.module, name), [])
    if len(aliases) != file.bindings[file.module, name]:
        return set()
    return {full_name(*each) for each in aliases}


def full_name(node: Import, alias: ast.alias) -> str:
    """The dotted name of what an import binds."""
    if isinstance(node, ast.ImportFrom):
        return f"{'.' * node.level}{node.module or ''}.{alias.name}"
    return alias.name if alias.asname else alias.name.partition(".")[0]


def _is_same_import(file: File, other: File, name: str) -> bool:
    found = full_names(file, name)
    return len(found) == 1 and found == full_names(other, name)
