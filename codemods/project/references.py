"""Every place in a project's files that means a variable of another file, or of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ..program.node_fields import within
from ..program.records import NamedTuple
from ..program.scope import Scope
from .fetches import Fetch
from .files import DEFINITIONS, File, Variable
from .import_order import Reach
from .import_paths import Import
from .import_targets import Target, Targets
from .picks import ASKS, GETS, Key, Pick, chosen, pick, picking

Modules = Mapping[tuple[str, ...], Target]  # by what is asked for each


class Reference(NamedTuple):
    """An expression that means a module's variable, and where it stands."""

    node: ast.Name | ast.Attribute
    scope: Scope
    target: Target


class Use(NamedTuple):
    """An expression that is a module which was imported by its name, and what says that name."""

    file: File
    expr: ast.expr
    scope: Scope
    key: Key


class References:
    """The references of all files; `changed`: the modules that somebody may change, and where."""

    def __init__(self, reach: Reach) -> None:
        self._files, self._targets, self._reach = reach.files, Targets(reach), reach
        self.changed = dict(reach.hidden)
        self.kept: set[ast.alias] = set()  # what somebody still needs by its own name
        self.of: dict[str, list[Reference]] = {}
        self.picks: dict[str, list[Pick]] = {}
        self.lost: dict[str, Fetch] = {}  # of each file the first that is not followed
        self._all = (*reach.files.values(), reach.entry)
        for file in self._all:
            self.of[file.path], self.picks[file.path] = [], []
            self._imports(file)
            for star in file.stars:
                self._star(file, star)
            for node, scope in file.scopes.loads:
                self._load(file, node, scope)
        for file in self._all:
            for fetch in file.fetches:
                self._fetch(file, fetch)

    def _load(self, file: File, node: ast.Name, scope: Scope) -> None:
        target = self._targets.of(file, node.id, scope)
        if target is None:
            if scope.find(node.id) is file.module:
                own = Target(file.path, node.id)
                self.of[file.path].append(Reference(node, scope, own))
            return
        if not target.name and self._is_picked(file, node, scope, {(): target}, ()):
            return
        found = self._member(file, node, target)
        if found is None:
            owner = scope.find(node.id) or file.module
            self.kept.update(alias for _, alias in file.aliases.get((owner, node.id), ()))
        else:
            self.of[file.path].append(found._replace(scope=scope))

    def _is_picked(
        self, file: File, node: ast.expr, scope: Scope, modules: Modules, keys: tuple[Key, ...]
    ) -> bool:
        """Whether variables of modules are picked by their names: each of them is meant."""
        call = picking(file, node, GETS)
        if call is None:
            return False
        meant = {
            (*asked, name): found
            for asked, module in modules.items()
            for name, found in self._targets.choices(module)
            if name in chosen(call, [name])
        }
        if not self._is_all(call, modules, meant):
            return False
        if meant:
            self._pick(file, call, scope, (*keys, Key(call, 1)), meant)
        return bool(meant)

    def _is_all(self, call: ast.Call, modules: Modules, meant: Modules) -> bool:
        """Whether each module that may have what is asked for is one of those that are meant."""
        asked = call.args[1]
        if not isinstance(asked, ast.Constant):
            return True
        having = (key for key, m in modules.items() if self._targets.may_have(m, str(asked.value)))
        return all((*key, asked.value) in meant for key in having)

    def _pick(
        self, file: File, node: ast.expr, scope: Scope, keys: tuple[Key, ...], meant: Modules
    ) -> None:
        picked = pick(node, keys, {asked: target.name for asked, target in meant.items()})
        self.picks[file.path].append(picked)
        for asked, new in picked.values.items():
            self.of[file.path].append(Reference(new, scope, meant[asked]))

    def _fetch(self, file: File, fetch: Fetch) -> None:
        """Note what is picked of the modules that a call imports by a name, wherever it is used."""
        found = self._reach.fetched(file, fetch)
        modules: Modules = {(name,): Target(path) for name, path in found.items()}
        uses = self._uses(file, fetch) if found else None
        if uses is None or not all(self._is_used(*each, modules) for each in uses):
            self.lost.setdefault(file.path, fetch)
            self._note_change(file.path, file, fetch.call)
            for path in self._reach.paths.modules(file.path, fetch.node):
                self._note_change(path, file, fetch.call)

    def _uses(self, file: File, fetch: Fetch) -> list[Use] | None:
        """The expressions that are its module, and the name of it; None where these aren't all."""
        call, parent = fetch.call, file.parents[fetch.call]
        if isinstance(parent, ast.Return):
            return self._uses_of_function(file, parent)
        root = next(n for n in within(call.func) if isinstance(n, ast.Name))
        scope = next(scope for node, scope in file.scopes.loads if node is root)
        return self._uses_of_call(Use(file, call, scope, Key(call)))

    def _uses_of_function(self, file: File, returned: ast.Return) -> list[Use] | None:
        """The same where a function of the module gives it, and nothing else."""
        function = file.parents[returned]
        while not isinstance(function, (*DEFINITIONS, ast.Lambda, ast.Module)):
            function = file.parents[function]
        is_plain = isinstance(function, ast.FunctionDef) and not function.decorator_list
        if not is_plain or function not in file.tree.body or not _gives_once(function):
            return None
        own = Target(file.path, function.name)
        meant = [(f, r) for f in self._all for r in self.of[f.path] if r.target == own]
        found: list[Use] = []
        for other, reference in meant:
            call = other.parents.get(reference.node)  # none of what is picked by a name
            is_called = isinstance(call, ast.Call) and call.func is reference.node
            uses = None
            if is_called and file.bindings[file.module, own.name] == 1:
                key = Key(call, None)  # type: ignore[arg-type]
                uses = self._uses_of_call(Use(other, call, reference.scope, key))  # type: ignore
            if uses is None:
                return None
            found += uses
        return found

    def _uses_of_call(self, use: Use) -> list[Use] | None:
        """Where what a call gives is used: at once, or by a name that nothing else binds."""
        file, parent = use.file, use.file.parents[use.expr]
        if isinstance(parent, ast.Expr):
            return []
        names = parent.targets if isinstance(parent, ast.Assign) else []
        if len(names) != 1 or not isinstance(names[0], ast.Name):
            return [use]
        name, owner = names[0].id, file.scopes.around[names[0]].find(names[0].id)
        if owner is None or file.bindings[owner, name] != 1 or self._is_shared(file, owner, name):
            return None
        loads = ((n, s) for n, s in file.scopes.loads if n.id == name and s.find(name) is owner)
        return [Use(file, node, scope, Key(node)) for node, scope in loads]

    def _is_shared(self, file: File, owner: Scope, name: str) -> bool:
        """Whether another file has a variable of this one, or this one keeps it in a class."""
        target = Target(file.path, name)
        others = (each for path, each in self.of.items() if path != file.path)
        is_meant = any(ref.target == target for each in others for ref in each)
        return isinstance(owner.node, ast.ClassDef) or (owner is file.module and is_meant)

    def _is_used(
        self, file: File, node: ast.expr, scope: Scope, key: Key, modules: Modules
    ) -> bool:
        """Whether it is known what a use of a module that is imported by its name takes of it."""
        if self._is_picked(file, node, scope, modules, (key,)):
            return True
        parent = file.parents[node]
        if picking(file, node, ASKS) is not None:
            return True
        if not isinstance(parent, ast.Attribute) or not isinstance(parent.ctx, ast.Load):
            return False
        having = [(k, m) for k, m in modules.items() if self._targets.may_have(m, parent.attr)]
        meant = {asked: self._targets.member(module, parent.attr) for asked, module in having}
        known = {asked: each for asked, each in meant.items() if each is not None and each.name}
        if not known or len(known) != len(having):
            return False
        self._pick(file, parent, scope, (key,), known)
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
        """A module that binds a name of the file's own is followed where the own one counts."""
        other = self._targets.starred(file, star)
        if other is None:
            return
        names = (other.exported or frozenset()) & file.names
        own = (name for name in names if not _is_same_import(file, other, name))
        if not all(_comes_later(file, star, name) for name in own):
            self._note_change(other.path, file, star)

    def given(self, file: File) -> Iterator[str]:
        """The names by which a module has what another one binds by that name."""
        stars = (self._targets.starred(file, star) for star in file.stars)
        names = {name for other in stars if other for name in other.exported or ()}
        for name in sorted(names | file.names):
            found = self._targets.of(file, name, file.module)
            if found is not None and found.name == name:
                yield name

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


def _comes_later(file: File, star: ast.ImportFrom, name: str) -> bool:
    """Whether the file binds a name of a star import for certain before anything reads it."""
    body = file.tree.body
    binding = [statement for statement in body if name in file.named[statement].defined]
    first = binding[0] if binding else star
    is_later = star in body and body.index(star) < body.index(first)
    if not is_later or not isinstance(first, (*DEFINITIONS, ast.Assign)):
        return False
    is_function = isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef))
    last = first.lineno if is_function else first.end_lineno or first.lineno
    loads = (node for node, scope in file.scopes.loads if node.id == name)
    return all(node.lineno > last for node in loads)


def _gives_once(function: ast.AST) -> bool:
    """Whether one statement of a function returns something, and no other can."""
    kinds = (ast.Return, ast.Yield, ast.YieldFrom)
    return sum(isinstance(node, kinds) for node in within(function)) == 1
