"""The entries below a folder that may be sources: what git shows, elsewhere what isn't ignored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from .gitignore import Ignores, Note, above, compile_lines, ignored, read_ignores
from .reader import Problem, reason, repository
from .source_names import NOTEBOOK, SUFFIXES, Excludes, unwanted

if TYPE_CHECKING:
    from ..git.listing import Listing

Entries = Mapping[str, "os.DirEntry[str]"]  # of one folder, by their names
Entry = tuple["os.DirEntry[str]", str]  # and the name that a person knows it by


class Place(NamedTuple):
    """A folder on the way, with what holds for it."""

    path: str
    prefix: str  # of the names in it, as a person would type them
    stack: tuple[Ignores, ...]
    shown: Listing | None  # by git; None: the ignore files in the stack say it

    def shows(self, entry: os.DirEntry[str]) -> bool:
        """Whether git shows a file; it is silent about pipes and their like, which are named."""
        if self.shown is None or entry.path in self.shown.files:
            return True
        return not (entry.is_symlink() or entry.is_file())

    def enters(self, entry: os.DirEntry[str]) -> bool:
        """Whether git shows anything in a folder, or that it is a repository of its own."""
        shown = self.shown
        return shown is None or entry.path in shown.folders or entry.path in shown.files


class Walk:
    """Goes through folders; what can't be read is a problem, and the others go on."""

    def __init__(self, excludes: Excludes, problems: list[Problem], note: Note) -> None:
        self.excludes, self.problems, self.note = excludes, problems, note

    def entries(self, folder: str, name: str) -> Iterator[Entry]:
        """What may be a source below an absolute folder without links in it."""
        waiting = [self._top(folder, "" if name == os.curdir else os.path.join(name, ""))]
        while waiting:
            place = waiting.pop()
            entries = self._entries(place, name)
            names = {entry.name: entry for entry in entries}
            if place.path != folder and "pyvenv.cfg" in names:
                continue
            place = self._with_own(place, names, place.path != folder and ".git" in names)
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting += self._below(place, entry)
                elif entry.name.endswith((*SUFFIXES, NOTEBOOK)) and place.shows(entry):
                    if not ignored(place.stack, entry.path):
                        yield entry, place.prefix + entry.name

    def _top(self, folder: str, prefix: str) -> Place:
        root = repository(folder)
        shown = _listing(folder, root) if root else None
        stack = above(folder, self.note) if shown is None else ()
        return Place(folder, prefix, stack + self._outer_excludes(folder), shown)

    def _entries(self, place: Place, name: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(place.path) as entries:
                return list(entries)
        except OSError as error:
            shown = (place.prefix or name).rstrip(os.sep) or name
            self.problems.append(Problem(shown, reason(error)))
            return []

    def _with_own(self, place: Place, names: Entries, is_repository: bool) -> Place:
        """With what the folder itself says; a repository in another one speaks for itself."""
        shown, stack = place.shown, place.stack
        if is_repository:
            shown = _listing(place.path, place.path)
        ignores = names.get(".gitignore")
        # What git itself has read is only read again to say that it could not be.
        if ignores and (shown is None or not ignores.is_file(follow_symlinks=False)):
            found = read_ignores(place.path, ignores.path, self.note)
            stack += (found,) if found and shown is None else ()
        excluded = self.excludes(place.path) if "pyproject.toml" in names else None
        found = compile_lines(place.path, excluded or ())
        stack += (found,) if found else ()
        return place._replace(shown=shown, stack=stack)

    def _below(self, place: Place, entry: os.DirEntry[str]) -> Iterator[Place]:
        if unwanted(entry.name) or not place.enters(entry):
            return
        if not ignored(place.stack, entry.path + "/"):
            yield Place(entry.path, place.prefix + entry.name + os.sep, place.stack, place.shown)

    def _outer_excludes(self, folder: str) -> tuple[Ignores, ...]:
        """Of the nearest settings above; those of the folder itself are found on the way."""
        if self.excludes(folder) is not None:
            return ()
        while folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
            excluded = self.excludes(folder)
            if excluded is not None:
                found = compile_lines(folder, excluded)
                return (found,) if found else ()
        return ()


def _listing(folder: str, root: str) -> Listing | None:
    from ..git.listing import listing  # a hook names its files, and waits for no process

    return listing(folder, root)
