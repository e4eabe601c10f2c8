"""Questions about files as entries of a project: what starts, and what a program uses."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from .files import Opened
from .import_order import Reach
from .needed import Needed
from .references import References
from .texts import Project

MOST_KEPT = 512  # files, of which programs have most in common
_opened = Opened()


class Uses:
    """What a program uses of its files: all that is asked of one is found by one look at them."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def runs(self, path: str, lines: Collection[int]) -> bool:
        """Whether it may run, or define, what stands at some of these lines of a file.

        Of its own file only what it does when it is started counts, not what importing it does.
        """
        if path not in self._project.texts:
            return False
        reach = self._reach
        if path == self._project.entry:
            calls = len(self._project.calls)
            return _stand_at(self._needed.when_started(reach.entry, calls), lines)
        file = reach.files.get(path)
        if file is None:
            return bool(reach.hidden)
        if path in self._references.changed:
            return True
        return _stand_at(self._needed.body(file), lines)

    @cached_property
    def _reach(self) -> Reach:
        if len(_opened) > MOST_KEPT:
            _opened.clear()
        return Reach(self._project, opened=_opened)

    @cached_property
    def _references(self) -> References:
        return References(self._reach)

    @cached_property
    def _needed(self) -> Needed:
        return Needed(self._reach, self._references)


def uses(project: Project, path: str, lines: Collection[int]) -> bool:
    """Whether a program may run, or define, what stands at some of these lines of a file."""
    return Uses(project).runs(path, lines)


def main_uses(project: Project, lines: Mapping[str, Collection[int]]) -> bool:
    """Whether what a file only does when it is started runs one of these lines of the files."""
    reach = Reach(project)
    found = Needed(reach, References(reach)).by_main(reach.entry)
    for file in (reach.entry, *reach.files.values()):
        if _stand_at((s for s in file.tree.body if s in found), lines.get(file.path, ())):
            return True
    return False


def _stand_at(statements: Iterable[ast.stmt], lines: Collection[int]) -> bool:
    work = [s for s in statements if not isinstance(s, (ast.Import, ast.ImportFrom))]
    return any(s.lineno <= line <= (s.end_lineno or s.lineno) for s in work for line in lines)
