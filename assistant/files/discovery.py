"""Finds the scripts and notebooks that were meant: what was named, what git would show below."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from distify.codemods.program.records import NamedTuple

from .reader import Problem, kind, leads_out, reason
from .source_names import Excludes


class Target(NamedTuple):
    """A file to look at: the name a person knows it by, and where it really is."""

    name: str
    path: str
    named: bool = False  # given by the person, not found in a folder


def no_settings(folder: str) -> None:
    """For projects that exclude nothing."""


class Finder:
    """Collects targets and problems; each file once, however many names lead to it."""

    def __init__(self, excludes: Excludes = no_settings, force_exclude: bool = False) -> None:
        self.excludes, self.force_exclude = excludes, force_exclude
        self.targets: dict[str, Target] = {}
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []  # what was left unread while looking for files

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
            if not self._stays_inside(os.path.normpath(path), path):
                return
            self._take_folder(os.path.realpath(path), os.path.normpath(path))
        elif stat.S_ISREG(mode):
            self._take_named(os.path.normpath(path), os.path.realpath(path))
        else:
            self.problems.append(Problem(path, kind(mode)))

    def _take_named(self, name: str, real: str) -> None:
        if self.force_exclude and self._is_excluded(real):
            return
        known = self.targets.get(real)
        if self._stays_inside(name, name) and (known is None or not known.named):
            self.targets[real] = Target(name, real, named=True)

    def _take_folder(self, folder: str, name: str) -> None:
        from .folder_walk import Walk
        from .gitignore import warned  # a hook names its files

        walk = Walk(self.excludes, self.problems, warned(self.warnings))
        for entry, shown in walk.entries(folder, name):
            if entry.is_file(follow_symlinks=False):
                known = self.targets.get(entry.path)
                if known is None or not known.named:  # its own name, rather than a link's
                    self.targets[entry.path] = Target(shown, entry.path)
            elif not entry.name.startswith(".#"):  # an editor's lock is a link to nowhere
                self._take_odd(entry.path, shown, folder)

    def _take_odd(self, path: str, name: str, folder: str) -> None:
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            self.problems.append(Problem(name, reason(error)))
            return
        if stat.S_ISREG(mode):
            real = os.path.realpath(path)
            if self._stays_inside(path, name, folder):
                self.targets.setdefault(real, Target(name, real))
        elif not stat.S_ISDIR(mode):  # links to folders are not followed
            self.problems.append(Problem(name, kind(mode)))

    def _stays_inside(self, path: str, name: str, folder: str = "") -> bool:
        """Whether a link stays where it was found; one that leads out is named and left."""
        lead = leads_out(path, folder)
        if lead:
            self.problems.append(Problem(name, f"{lead}, so it was left as it was"))
        return not lead

    def _is_excluded(self, path: str) -> bool:
        """Whether the nearest settings exclude a file or a folder that it is in."""
        folder = os.path.dirname(path)
        while self.excludes(folder) is None and folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
        excluded = self.excludes(folder)
        if not excluded:
            return False
        from .gitignore import names

        return names(folder, excluded, path)
