"""No half of what changes together is written: an entry's files, all or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import projects
from .outcome import Outcome
from .reader import Problem

HALF = "was not written, because `{}` has to change together with it and can't be"


def refuse_halves(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes; no file of an entry is to be written if another one of it can't be."""
    found = {each.target.path: each for each in outcomes}
    units = [_unit(each, found) for each in outcomes if each.migration and each.migration.others]
    for _ in units:  # a file may belong to several entries
        for unit in units:
            failed = next((found[path] for path in unit if found[path].problem), None)
            for path in unit:
                if failed is not None and found[path].changed:
                    cause = HALF.format(failed.name)
                    found[path] = found[path]._replace(problem=Problem(found[path].name, cause))
    return [found[each.target.path] for each in outcomes]


def _unit(entry: Outcome, found: Mapping[str, Outcome]) -> list[str]:
    assert entry.migration is not None
    paths = (projects.path_of(entry.target.path, other.path) for other in entry.migration.others)
    return [entry.target.path, *(path for path in paths if path in found)]
