"""The files that an entry's imports lead to, in the order in which their code runs."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ..model import SyntaxProblem
from ..program.records import NamedTuple
from .files import File
from .paths import Import, Paths
from .unseen import unseen


class Left(NamedTuple):
    """A file that is not read with an entry: the line of the import that leads to it, and why."""

    line: int
    why: str


class Reach:
    """The files that the entry reaches, and the import of the entry that leads to each."""

    def __init__(self, entry: File, texts: Mapping[str, str], without: frozenset[str]) -> None:
        known = [path for path in texts if path not in without and path != entry.path]
        self.paths = Paths(entry.path, known)
        self.entry, self.texts = entry, texts
        self.files: dict[str, File] = {}  # in the order in which their code runs
        self.imported_by: dict[str, ast.stmt] = {}
        self.hidden: dict[str, str] = {}  # modules that a file which is not joined may change
        self.left: dict[str, Left] = {}  # what is not joined, and why
        self._read: dict[str, File] = {}
        self._why: dict[str, str] = {}
        self._walk()

    def _walk(self) -> None:
        seen: set[str] = set()
        for node in self.entry.imports:
            waiting = [(path, False) for path in self._behind(self.entry, node)][::-1]
            while waiting:
                path, is_done = waiting.pop()
                if is_done:
                    self.files[path] = self._read[path]
                    self.imported_by[path] = node
                elif path not in seen:
                    seen.add(path)
                    waiting += self._opened(path)
                    if path in self._why:
                        self.left[path] = Left(node.lineno, self._why[path])

    def _opened(self, path: str) -> list[tuple[str, bool]]:
        """A file and what runs before it, the last first; nothing for one that can't be joined."""
        try:
            file = File(path, self.texts[path])
        except SyntaxProblem:
            self._why[path] = "it can't be parsed"
            return []
        word = unseen(file.text)
        if word is not None:
            self._why[path] = f"it has `{word.rstrip('(name')}`"
            found = (m for node in file.imports for m in self.modules(file, node))
            self.hidden.update(dict.fromkeys(found, path))
            return []
        self._read[path] = file
        before = [p for node in file.imports for p in self._behind(file, node)]
        return [(path, True), *((p, False) for p in reversed(before))]

    def _behind(self, file: File, node: Import) -> list[str]:
        """The files that run because of an import."""
        found: dict[str, None] = {}
        for module in self.modules(file, node):
            found.update(dict.fromkeys(reversed(list(self.paths.packages(module)))))
            if not module.endswith("/"):
                found[module] = None
        return list(found)

    def modules(self, file: File, node: Import) -> list[str]:
        """The modules of the project that an import names."""
        if isinstance(node, ast.Import):
            found = [self.paths.absolute(alias.name) for alias in node.names]
        else:
            module = self.paths.imported(file.path, node)
            names = [alias.name for alias in node.names] if module else []
            found = [module, *(self.paths.child(module, name) for name in names if module)]
        return [module for module in found if module is not None]
