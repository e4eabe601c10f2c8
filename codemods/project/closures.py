"""Which files the programs of a project may run, by their imports alone: more than they do run."""

from __future__ import annotations

from .import_paths import Paths, bases
from .texts import Project


class Closures:
    """The files behind each program; programs of one folder see the same modules."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._paths: dict[tuple[str, ...], Paths] = {}
        self._behind: dict[tuple[Paths, str], list[str]] = {}

    def of(self, entry: str) -> set[str]:
        """The program's own file, what it imports, and what these do."""
        paths = self._seen_from(entry)
        found, waiting = {entry}, [entry]
        for path in waiting:
            new = [each for each in self._imported(paths, path) if each not in found]
            found.update(new)
            waiting += new
        return found

    def _seen_from(self, entry: str) -> Paths:
        key = bases(entry)
        if key not in self._paths:
            self._paths[key] = Paths(entry, self._project.texts, self._project.added)
        return self._paths[key]

    def _imported(self, paths: Paths, path: str) -> list[str]:
        key = paths, path
        if key not in self._behind:
            nodes = [each.node for each in self._project.sketch(path).imports]
            self._behind[key] = [file for node in nodes for file in paths.behind(path, node)]
        return self._behind[key]
