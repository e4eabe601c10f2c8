"""Names of modules that would meet in one program: each variable gets one that is its alone."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping

from .files import File
from .import_targets import Target
from .picks import put, replace
from .references import References, full_names


class CannotJoin(Exception):
    """Why the files of a project can't be made one program, and the line of the entry."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def new_names(entry: File, others: Collection[File], references: References) -> dict[Target, str]:
    """The variables of other modules that need another name in a program with the rest.

    Of the entry's, those that hide a builtin which another module uses.
    """
    users: dict[str, set[str]] = {}
    for file in (entry, *others):
        for name in _used_names(file, references):
            users.setdefault(name, set()).add(file.path)
    files = {file.path: file for file in (entry, *others)}
    found: dict[Target, str] = {}
    meeting = {
        name
        for name, paths in users.items()
        if len(paths) > 1 and not _is_shared(name, paths, files)
    }
    free = {name for file in others for name in _free_names(file, references)}
    for name in sorted(entry.names & free):
        found[Target(entry.path, name)] = _fresh(name, entry.path, users)
    for file in others:
        for name in sorted(file.names & meeting):
            if file.path in users[name]:
                found[Target(file.path, name)] = _fresh(name, file.path, users)
    return found


def _used_names(file: File, references: References) -> set[str]:
    """The names that a file binds anywhere, and those that nothing in it binds."""
    bound = {v[1] for v in file.bindings if not references.is_replaced(file, v)}
    return bound | _free_names(file, references)


def _free_names(file: File, references: References) -> set[str]:
    """The names that nothing in a file binds: builtins, and what a library's star import gives."""
    followed = {reference.node for reference in references.of[file.path]}
    loads = [load for load in file.scopes.loads if load[0] not in followed]
    return {node.id for node, scope in loads if scope.find(node.id) is None}


def _is_shared(name: str, paths: Iterable[str], files: Mapping[str, File]) -> bool:
    """Whether all modules that have this variable import the same thing under its name."""
    having = [files[path] for path in paths if name in files[path].names]
    found = [full_names(file, name) for file in having]
    return all(len(each) == 1 and each == found[0] for each in found)


def _fresh(name: str, path: str, users: dict[str, set[str]]) -> str:
    stem = "".join(c if c.isalnum() else "_" for c in path.rpartition(".")[0])
    choices = (f"{name}__{stem}{'_' * n}" for n in range(len(users) + 1))
    chosen = next(choice for choice in choices if choice not in users)
    users[chosen] = {path}
    return chosen


def rename(file: File, references: References, names: Mapping[Target, str]) -> None:
    """Let each reference of a file be a name of the program. Raises CannotJoin."""
    own = {target.name: new for target, new in names.items() if target.path == file.path}
    if own:
        _rename_bindings(file, own)
    for reference in references.of[file.path]:
        name = names.get(reference.target, reference.target.name)
        if reference.target.path != file.path:
            owner = reference.scope.find(name)
            if owner is not None and not references.is_replaced(file, (owner, name)):
                _refuse_capture(file, owner, name)
        if isinstance(reference.node, ast.Name):
            if reference.node.id != name:
                file.change(reference.node, "id", name)
        else:
            new = ast.copy_location(ast.Name(name, ast.Load()), reference.node)
            replace(file, reference.node, new)
    for picked in references.picks[file.path]:
        put(file, picked)
    for fetch in file.fetches:  # its module is known by its name from here on
        if isinstance(file.parents[fetch.call], ast.stmt):
            replace(file, fetch.call, fetch.call.args[0])


def _refuse_capture(file: File, owner: object, name: str) -> None:
    """Raises CannotJoin where a function has a variable of the name that is meant."""
    if owner is not file.module:
        raise CannotJoin(f"{file.path} hides {name}")


def _rename_bindings(file: File, own: Mapping[str, str]) -> None:
    for node in file.nodes:
        if isinstance(node, ast.Global):
            file.change(node, "names", [own.get(name, name) for name in node.names])
            continue
        scope = file.scopes.around.get(node)
        if scope is None:
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            if scope.find(node.id) is file.module:
                file.change(node, "id", own.get(node.id, node.id))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            _rename_aliases(file, node, own)
        elif isinstance(getattr(node, "name", None), str):
            if scope.find(node.name) is file.module:  # type: ignore[attr-defined]
                file.change(node, "name", own.get(node.name, node.name))  # type: ignore[attr-defined]


def _rename_aliases(file: File, node: ast.Import | ast.ImportFrom, own: Mapping[str, str]) -> None:
    scope = file.scopes.around[node]
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        if name not in own or scope.find(name) is not file.module:
            continue
        if "." in alias.name and alias.asname is None and isinstance(node, ast.Import):
            raise CannotJoin(f"{file.path} imports {alias.name}")
        file.change(alias, "asname", own[name])
