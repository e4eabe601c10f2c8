"""What keeps an entry from changing other files of its project.

A file may be changed for an entry if it was among the given paths, and if every other program that
runs what changes there changes it in the same way, or starts Horovod for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from .. import codemods
from . import projects
from .outcome import Outcome
from .starters import Known, asks_horovod

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration, Other

CODE, IMPORT = "T01", "D101"
BROADCAST = "D202"  # once more than a program needs is no fault
OUTSIDE = "`{}` has to change together with this file ({}), and is not among the given paths"
ADD = "name all that have to change: `distify migrate {}`"
FAILED = "`{}` has to change together with this file, and it can't be: {}"
APART = "`{}` would have to change in another way for `{}`, which runs the same code"
ITSELF = "`{}` runs what has to change when it is started itself, where nobody calls `hvd.init()`"
PART = "give its `__main__` part a function of its own, or leave that part out"
WAITS = (
    "`{}` has to change for this file, and `{}`, which runs the same code, is refused: {}, line {}"
)
STARTED = "`{}` starts this training, and is refused itself: {}, line {}"
FIRST = "put that right first"
SPLIT = "give each of the two a function of its own there, or migrate both"


def others_of(outcome: Outcome | None) -> tuple[Other, ...]:
    """The files that change with an entry."""
    migration = outcome.migration if outcome is not None and outcome.changed else None
    return migration.others if migration is not None else ()


def path_of(entry: Outcome, other: Other) -> str:
    """Where one of them is."""
    return projects.path_of(entry.target.path, other.path)


class Wishes:
    """What each entry wants of other files, and the programs that start Horovod for it."""

    def __init__(self, entries: Iterable[Outcome], started: Mapping[str, set[str]]) -> None:
        self.of: dict[str, dict[str, Other]] = {}
        self.started = started
        for entry in entries:
            for other in others_of(entry):
                wished = self.of.setdefault(path_of(entry, other), {})
                wished[entry.target.path] = other


def refusals(
    entries: Iterable[Outcome], refused: Mapping[str, Finding], known: Known, wishes: Wishes
) -> Iterator[tuple[str, Finding]]:
    """The entries that can't change, by their paths, and what is in the way of each."""
    for entry in entries:
        if entry.target.path in refused:
            continue
        for other in others_of(entry):
            finding = _obstacle(entry, other, known, wishes, refused)
            if finding is not None:
                yield entry.target.path, finding
                break


def _obstacle(
    entry: Outcome, other: Other, known: Known, wishes: Wishes, refused: Mapping[str, Finding]
) -> Finding | None:
    """Why a file can't change for an entry."""
    path = path_of(entry, other)
    if path not in known and not other.is_needed:
        return None
    if path not in known:
        work = [due.places[0] for due in other.migration.changing_rules if due.code != IMPORT]
        first = min(work, default=(1, 0))[0]
        codes = ", ".join(due.code for due in other.migration.changing_rules)
        paths = sorted(os.path.relpath(path_of(entry, each)) for each in others_of(entry))
        names = " ".join([entry.name, *paths])
        return _finding(other, OUTSIDE.format(f"{other.path}:{first}", codes), ADD.format(names))
    own = known[path][1]
    if own is not None and (own.problem or (own.skipped and own.migration is None)):
        why = own.problem.message if own.problem else own.skipped
        return _finding(other, FAILED.format(other.path, why), "put that right first")
    rival = _rival(entry, other, path, known, wishes, refused)
    if rival == path:
        return _finding(other, ITSELF.format(other.path), PART)
    return _of_rival(other, rival, known, refused) if rival else None


def _of_rival(other: Other, rival: str, known: Known, refused: Mapping[str, Finding]) -> Finding:
    """Why a file can't change for an entry: what is refused itself keeps it as it is."""
    name = projects.relative(rival)
    seen = known[rival][1] if rival in known else None
    blocked = refused.get(rival)
    if blocked is None and seen is not None and seen.blocked and seen.migration is not None:
        blocked = seen.migration.blocked[0]
    if blocked is None:
        return _finding(other, APART.format(other.path, name), SPLIT)
    message = WAITS.format(other.path, name, blocked.code, blocked.line)
    return _finding(other, message, FIRST)._replace(code=blocked.code)


def _rival(
    entry: Outcome,
    other: Other,
    path: str,
    known: Known,
    wishes: Wishes,
    refused: Mapping[str, Finding],
) -> str:
    """Another program that runs what changes in a file, and doesn't change it in this way."""
    if not asks_horovod(other):
        return ""
    files = projects.files(projects.root(os.path.dirname(entry.target.path)))
    started = {entry.target.path, *wishes.started[entry.target.path]}
    for rival in dict.fromkeys((path, *files)):
        if rival in refused or rival not in wishes.of[path]:
            wished = _own(known[path][1]) if rival == path else None
        else:
            wished = wishes.of[path][rival].migration
        if rival not in started and not _is_shared(other.migration, wished, rival, path):
            return rival
    return ""


def _own(outcome: Outcome | None) -> Migration | None:
    """What becomes of a file that is an entry itself."""
    return outcome.migration if outcome is not None and outcome.changed else None


def _is_shared(first: Migration, second: Migration | None, rival: str, path: str) -> bool:
    """Whether a program changes what it runs of a file in the same way, and nothing else meets."""
    codes = {due.code for due in second.changing_rules} if second else set()
    known = (
        {(due.code, place) for due in second.changing_rules for place in due.places}
        if second
        else set()
    )
    lines = {
        place[0]
        for due in first.changing_rules
        for place in due.places
        if (due.code, place) not in known and not due.code == BROADCAST in codes
    }
    if projects.runs(rival, path, lines):
        return False
    return second is None or codemods.merged(first, second) is not None


def _finding(other: Other, message: str, fix: str) -> Finding:
    from distify.codemods.model import Finding

    return Finding(other.line, 0, CODE, message, fix)


def referring(entry: Outcome, finding: Finding) -> Finding:
    """What is said of a file whose training an entry starts that is refused."""
    name = projects.relative(entry.target.path)
    message = STARTED.format(name, finding.code, finding.line)
    return finding._replace(column=0, message=message, fix=FIRST, reaches=0, cause="")
