"""Finds the Python files that were meant: what was named, and what git would show of a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import Callable, NamedTuple, Optional

from .gitignore import Ignores, above, compile_lines, ignored, read_ignores

SUFFIXES = (".py", ".pyw")
NEVER = frozenset({"__pycache__", "node_modules", "__pypackages__", "site-packages"})
KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)

Excludes = Callable[[str], Optional["tuple[str, ...]"]]  # a folder's own, None: has no settings


class Target(NamedTuple):
    """A file to look at: the name a person knows it by, and where it really is."""

    name: str
    path: str
    named: bool = False  # given by the person, not found in a folder


class Problem(NamedTuple):
    """Why something can't be worked on; line and column count from 1, 0 says the whole file."""

    name: str
    message: str
    line: int = 0
    column: int = 0


def no_settings(folder: str) -> None:
    """For projects that exclude nothing."""


class Finder:
    """Collects targets and problems; each file once, however many names lead to it."""

    def __init__(self, excludes: Excludes = no_settings, force_exclude: bool = False) -> None:
        self.excludes, self.force_exclude = excludes, force_exclude
        self.targets: dict[str, Target] = {}
        self.problems: list[Problem] = []

    def find(self, paths: Iterable[str]) -> list[Target]:
        """The files meant by these paths, in the order of their names."""
        for path in paths:
            self._take(path)
        return sorted(self.targets.values())

    def _take(self, path: str) -> None:
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            self.problems.append(Problem(path, reason(error)))
            return
        if stat.S_ISDIR(mode):
            self._take_folder(os.path.realpath(path), os.path.normpath(path))
        elif stat.S_ISREG(mode):
            name, real = os.path.normpath(path), os.path.realpath(path)
            if self.force_exclude and self._is_excluded(real):
                return
            known = self.targets.get(real)
            if known is None or not known.named:
                self.targets[real] = Target(name, real, named=True)
        else:
            self.problems.append(Problem(path, kind(mode)))

    def _take_folder(self, folder: str, name: str) -> None:
        prefix = "" if name == os.curdir else os.path.join(name, "")
        waiting = [(folder, prefix, above(folder) + self._outer_excludes(folder))]
        while waiting:
            here, prefix, stack = waiting.pop()
            entries = self._entries(here, prefix or name)
            names = {entry.name for entry in entries}
            if here != folder and "pyvenv.cfg" in names:
                continue
            stack += tuple(self._own(here, names))
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if not unwanted(entry.name) and not ignored(stack, entry.path + "/"):
                        waiting.append((entry.path, prefix + entry.name + os.sep, stack))
                elif entry.name.endswith(SUFFIXES) and not ignored(stack, entry.path):
                    self._take_entry(entry, prefix + entry.name)

    def _entries(self, folder: str, name: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError as error:
            self.problems.append(Problem(name.rstrip(os.sep) or name, reason(error)))
            return []

    def _take_entry(self, entry: os.DirEntry[str], name: str) -> None:
        if not entry.is_symlink() and entry.is_file():
            known = self.targets.get(entry.path)
            if known is None or not known.named:  # its own name, rather than a link's
                self.targets[entry.path] = Target(name, entry.path)
        elif not entry.name.startswith(".#"):  # an editor's lock is a link to nowhere
            self._take_odd(entry.path, name)

    def _take_odd(self, path: str, name: str) -> None:
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            self.problems.append(Problem(name, reason(error)))
            return
        if stat.S_ISREG(mode):
            real = os.path.realpath(path)
            self.targets.setdefault(real, Target(name, real))
        elif not stat.S_ISDIR(mode):  # links to folders are not followed
            self.problems.append(Problem(name, kind(mode)))

    def _own(self, folder: str, names: set[str]) -> Iterator[Ignores]:
        found: Ignores | None = None
        if ".gitignore" in names:
            found = read_ignores(folder, os.path.join(folder, ".gitignore"))
        if found:
            yield found
        excluded = self.excludes(folder) if "pyproject.toml" in names else None
        found = compile_lines(folder, excluded or ())
        if found:
            yield found

    def _is_excluded(self, path: str) -> bool:
        """Whether the nearest settings exclude a file or a folder that it is in."""
        folder = os.path.dirname(path)
        while self.excludes(folder) is None and folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
        found = compile_lines(folder, self.excludes(folder) or ())
        if found is None:
            return False
        parts = os.path.relpath(path, folder).split(os.sep)
        folders = (os.path.join(folder, *parts[:end], "") for end in range(1, len(parts)))
        return any(ignored((found,), each) for each in (*folders, path))

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


def unwanted(folder: str) -> bool:
    """Folders that hold nobody's own sources: hidden ones, caches, installed packages."""
    return folder.startswith(".") or folder in NEVER


def kind(mode: int) -> str:
    """What stands where a file was expected."""
    found = next((words for test, words in KINDS if test(mode)), "something else")
    return f"is {found}, not a file"


def reason(error: Exception) -> str:
    """The system's own words, without the number and the path that it repeats."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return str(error) or type(error).__name__
