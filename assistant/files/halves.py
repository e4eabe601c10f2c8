"""No half of what changes together is written: an entry's files, all or none."""

from __future__ import annotations

from collections.abc import Sequence

from . import projects
from .outcome import Outcome
from .reader import Problem

HALF = "was not written, because `{}` has to change together with it and can't be"


def refuse_halves(outcomes: Sequence[Outcome], before: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes; no file of a program is to be written if another one of it can't be.

    What was judged is what all of them would be; `before` are the outcomes when that was asked.
    """
    found = {each.target.path: each for each in outcomes}
    changed = {each.target.path for each in before if each.changed}
    units = [_unit(each, changed) for each in before if each.migration and each.migration.modules]
    for _ in units:  # a file may belong to several entries
        for unit in units:
            failed = next((found[path] for path in unit if found[path].problem), None)
            for path in unit:
                if failed is not None and found[path].changed:
                    cause = HALF.format(failed.name)
                    found[path] = found[path]._replace(problem=Problem(found[path].name, cause))
    return [found[each.target.path] for each in outcomes]


def _unit(entry: Outcome, changed: set[str]) -> list[str]:
    """The files of a program that change."""
    assert entry.migration is not None
    others = (other.path for other in entry.migration.others)
    paths = (projects.path_of(entry.target.path, n) for n in (*others, *entry.migration.modules))
    return [path for path in dict.fromkeys((entry.target.path, *paths)) if path in changed]
