"""The files that an entry's imports lead to, in the order in which their code runs."""

from __future__ import annotations

import ast

from ..model import SyntaxProblem
from ..program.records import NamedTuple
from .aside import Aside
from .fetches import Fetch
from .files import File, Opened
from .import_paths import Paths, is_open
from .quiet import only_defines
from .rebound import told_apart
from .texts import Project
from .unseen import unseen

UNSURE = "it may be imported by its name, or may not, and does more than to define things"


class Left(NamedTuple):
    """A file that is not read with an entry: the line of the import that leads to it, and why."""

    line: int
    why: str


class Reach:
    """The files that the entry reaches, and the import of the entry that leads to each."""

    def __init__(
        self,
        project: Project,
        without: frozenset[str] = frozenset(),
        spares: bool = False,
        opened: Opened | None = None,
    ) -> None:
        entry = File(project.entry, project.text)
        known = [path for path in project.texts if path not in without and path != entry.path]
        self.paths = Paths(entry.path, known, project.added)
        self.entry = told_apart(entry, lambda node: bool(self.paths.behind(entry.path, node)))
        self.project = project
        aside = Aside(project, self.paths) if spares else None
        self._behind, self.aside = (aside.behind, aside.paths) if aside else ({}, frozenset())
        self.reached: list[str] = []  # with those that are set aside
        self.files: dict[str, File] = {}  # in the order in which their code runs
        self.imported_by: dict[str, ast.stmt] = {}
        self.hidden: dict[str, str] = {}  # modules that a file which is not joined may change
        self.left: dict[str, Left] = {}  # what is not joined, and why
        self._files = Opened() if opened is None else opened  # of another try, which changed none
        self._read: dict[str, File] = {}
        self._why: dict[str, str] = {}
        self._known = {path for path in project.texts if path != entry.path}
        self._all = Paths(entry.path, self._known, project.added) if without else self.paths
        self._walk()
        self._leave_unquiet()

    def _walk(self) -> None:
        seen: set[str] = set()
        for node in self.entry.leading:
            waiting = [(path, False) for path in self.paths.behind(self.entry.path, node)][::-1]
            while waiting:
                path, is_done = waiting.pop()
                if is_done:
                    self.reached.append(path)
                    if path in self._read:
                        self.files[path] = self._read[path]
                    self.imported_by[path] = node
                elif path not in seen:
                    seen.add(path)
                    waiting += self._opened(path)
                    if path in self._why:
                        self.left[path] = Left(node.lineno, self._why[path])

    def _file(self, path: str) -> File:
        return self._files[path, self.project.texts[path]]

    def _opened(self, path: str) -> list[tuple[str, bool]]:
        """A file and what runs before it, the last first; nothing for one that can't be joined."""
        if path in self.aside:
            return [(path, True), *((p, False) for p in reversed(self._behind[path]))]
        try:
            file = self._file(path)
        except SyntaxProblem:
            self._why[path] = "it can't be parsed"
            return []
        word = unseen(file.text)
        if word is not None:
            self._why[path] = f"it has `{word.rstrip('(name')}`"
            found = (m for node in file.leading for m in self.paths.modules(path, node))
            self.hidden.update(dict.fromkeys(found, path))
            return []
        self._read[path] = file
        before = [p for node in file.leading for p in self.paths.behind(path, node)]
        return [(path, True), *((p, False) for p in reversed(before))]

    def fetched(self, file: File, fetch: Fetch) -> dict[str, str]:
        """The modules that a call may import, by their names; none where one of them isn't read."""
        found = self._all.fetched(file.path, fetch.node)
        is_read = set(found.values()) <= self.files.keys()
        return {fetch.key(dotted): path for dotted, path in found.items()} if is_read else {}

    def _leave_unquiet(self) -> None:
        """Leave out modules that may be imported, or may not, and do something by that."""
        files = (self.entry, *self.files.values())
        if not any(file.fetches for file in files):
            return
        sure = self._imported_surely()
        for path, file in list(self.files.items()):  # the first one is told
            if path not in sure and not only_defines(file.tree):
                del self.files[path]
                self.left[path] = Left(self.imported_by[path].lineno, UNSURE)
                found = (m for node in file.leading for m in self.paths.modules(path, node))
                self.hidden.update(dict.fromkeys(found, path))

    def _imported_surely(self) -> set[str]:
        """The files that run whichever modules are picked by their names."""
        waiting, found = [self.entry], {self.entry.path}
        for file in waiting:
            sure = [*file.imports, *(f.node for f in file.fetches if not is_open(f.node))]
            behind = {p for node in sure for p in self.paths.behind(file.path, node)}
            new = behind & self.files.keys() - found
            found |= new
            waiting += [self.files[path] for path in sorted(new)]
        return found
