"""Programs beside an entry that run what changes for it, and are not migrated themselves.

An evaluation that reads the same data would ask Horovod for its number, which nothing has started
there: it starts Horovod, and changes together with the entry. So does a program that trains and is
refused for what several workers would do wrong, or that runs guards alone: it ends unless it is
alone.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .. import codemods
from . import per_file, projects
from .discovery import Target
from .examine import OptionsFor
from .outcome import Outcome
from .source_names import NOTEBOOK

if TYPE_CHECKING:
    from distify.codemods.model import Due, Migration, Other

IMPORT, START = "D101", "D102"
Known = Mapping[str, "tuple[Target, Outcome | None]"]


class Starters:
    """The programs that start Horovod for what an entry changes; `started`: by the entry's path."""

    def __init__(self, known: Known, options_for: OptionsFor) -> None:
        self._known, self._options_for = known, options_for
        self.started: dict[str, set[str]] = {}

    def joined(self, entry: Outcome) -> Outcome:
        """An entry that changes other files, with those that have to start Horovod then."""
        migration = entry.migration
        assert migration is not None
        found = self.started[entry.target.path] = set()
        asking = {
            projects.path_of(entry.target.path, other.path): _asking(other)
            for other in migration.others
            if asks_horovod(other)
        }
        lines = {path: lines_of(due) for path, due in asking.items()}
        others = list(migration.others)
        for path, started in self._programs(entry, lines, asking):
            found.add(path)
            if started.changing_rules:
                others.append(_other(entry, path, started))
        found |= {path for path in lines if START in _codes(_of(entry, others, path))}
        return entry._replace(migration=migration._replace(others=tuple(others)))

    def _programs(
        self, entry: Outcome, lines: Mapping[str, set[int]], asking: Mapping[str, Sequence[Due]]
    ) -> Iterator[tuple[str, Migration]]:
        """The programs that run some of these lines, and what becomes of each."""
        top = projects.root(os.path.dirname(entry.target.path))
        is_early = functools.cache(lambda path: _is_early(path, lines[path]))
        for path in projects.files(top) if lines else ():
            is_other = path == entry.target.path or path in lines or path.endswith(NOTEBOOK)
            seen = self._known[path][1] if path in self._known else None
            if is_other or (seen is not None and (seen.changed or seen.problem is not None)):
                continue
            refused = seen.migration if seen is not None and seen.blocked else None
            if refused is not None and projects.is_imported(path):
                continue
            asked = [each for each, found in lines.items() if projects.runs(path, each, found)]
            if asked and not any(map(is_early, asked)):
                codes = _run(path, {each: asking[each] for each in asked}) if refused else ()
                started = self._start_only(path, refused, codes)
                if started is not None:
                    yield path, started

    def _start_only(
        self, path: str, refused: Migration | None, codes: Collection[str]
    ) -> Migration | None:
        text = projects.text_of(path)
        if text is None:
            return None
        options = per_file.options_of(path, self._options_for(os.path.dirname(path)))
        try:
            return codemods.start_only(text, options, path, refused, codes)
        except Exception:  # whatever is wrong with it, another one is told of that
            return None


def _run(program: str, asking: Mapping[str, Sequence[Due]]) -> set[str]:
    """The rules that change what a program runs of some files."""
    return {
        due.code
        for path, found in asking.items()
        for due in found
        if projects.runs(program, path, lines_of([due]))
    }


def _is_early(path: str, lines: Collection[int]) -> bool:
    """Whether a module asks as soon as it is imported: no other program has started it then."""
    return codemods.runs_at_import(projects.text_of(path) or "", lines)


def asks_horovod(other: Other) -> bool:
    """Whether a file imports Horovod by then, and so may ask for the worker's number."""
    return IMPORT in _codes(other) or "horovod" in other.migration.before


def _asking(other: Other) -> list[Due]:
    """What may ask for the worker's number: the import of Horovod, above all of it, doesn't."""
    return [each for each in other.migration.changing_rules if each.code != IMPORT]


def lines_of(due: Sequence[Due]) -> set[int]:
    """The lines at which rules change something."""
    return {line for each in due for line, _ in each.places}


def _codes(other: Other | None) -> set[str]:
    return {due.code for due in other.migration.changing_rules} if other is not None else set()


def _of(entry: Outcome, others: Sequence[Other], path: str) -> Other | None:
    paths = {projects.path_of(entry.target.path, other.path): other for other in others}
    return paths.get(path)


def _other(entry: Outcome, path: str, started: Migration) -> Other:
    from distify.codemods.model import Other

    name = projects.relative_to(entry.target.path, path)
    return Other(name, _line(entry), True, started)


def _line(entry: Outcome) -> int:
    """Where the entry imports what it shares with the program."""
    assert entry.migration is not None
    return min(other.line for other in entry.migration.others)
