"""Files that change only together: all of an entry's project that needs it, or nothing.

A file may be changed for an entry if it was among the given paths, and if every other program that
runs what changes there changes it in the same way.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from . import projects
from .discovery import Target
from .outcome import Outcome, encoded
from .reader import Problem, reason
from .source import Unreadable, decode, read

if TYPE_CHECKING:
    from distify.codemods.model import Due, Finding, Other

CODE, IMPORT = "T01", "D101"
OUTSIDE = "`{}` has to change together with this file ({}), and is not among the given paths"
ADD = "name all that have to change: `distify migrate {}`"
FAILED = "`{}` has to change together with this file, and it can't be: {}"
APART = "`{}` would have to change in another way for `{}`, which runs the same code"
ITSELF = "`{}` runs what has to change when it is started itself, where nobody calls `hvd.init()`"
PART = "give its `__main__` part a function of its own, or leave that part out"
SPLIT = "give each of the two a function of its own there, or migrate both"
Outcomes = Sequence["Outcome | None"]
Known = Mapping[str, "tuple[Target, Outcome | None]"]


def settled(outcomes: Outcomes, targets: Sequence[Target]) -> list[Outcome | None]:
    """The outcomes, with what entries change in other files; refused where that can't be."""
    entries = [each for each in outcomes if each is not None and _others(each)]
    known = dict(zip((target.path for target in targets), zip(targets, outcomes)))
    wishes = _Wishes(entries)
    known.update(_failed(entries, known))
    found = {path: each for path, (_, each) in known.items()}
    refused: dict[str, Finding] = {}
    for _ in entries:  # what is refused for one entry may be what another one waits for
        fresh = dict(_refusals(entries, refused, known, wishes))
        refused.update(fresh)
        if not fresh:
            break
    for entry in entries:
        finding = refused.get(entry.target.path)
        if finding is not None:
            found[entry.target.path] = _blocked(entry, finding)
            continue
        for other in _others(entry):
            if _path(entry, other) in known:
                target, before = known[_path(entry, other)]
                found[target.path] = _changed(target, before, other)
    for path in _answered(outcomes, refused):
        if path in found and _is_not_started(found[path]):
            found[path] = None
    return [found[target.path] for target in targets]


def _failed(
    entries: Iterable[Outcome], known: Known
) -> Iterator[tuple[str, tuple[Target, Outcome | None]]]:
    """The files that have to change and can't be read again or written back."""
    for entry in entries:
        for other in _others(entry):
            path = _path(entry, other)
            if path in known:
                target, before = known[path]
                made = _changed(target, before, other)
                if made.problem:
                    yield path, (target, made)


def _answered(outcomes: Outcomes, refused: Mapping[str, Finding]) -> Iterator[str]:
    """The files whose training an entry starts that nothing is held against."""
    for entry in outcomes:
        migration = entry.migration if entry is not None and not entry.problem else None
        if entry is None or migration is None or migration.blocked:
            continue
        if entry.target.path not in refused:
            yield from (projects.path_of(entry.target.path, name) for name in migration.trains_in)


def _is_not_started(outcome: Outcome | None) -> bool:
    """Whether what is said against a file alone is that the training is not all in it."""
    migration = outcome.migration if outcome is not None else None
    if outcome is None or migration is None or CODE not in {f.code for f in migration.blocked}:
        return False
    lines = {e.line for e in migration.evidence} | {f.line for f in migration.blocked}
    return not projects.runs(outcome.target.path, outcome.target.path, lines)


def _others(outcome: Outcome) -> tuple[Other, ...]:
    return outcome.migration.others if outcome.migration is not None and outcome.changed else ()


def _path(entry: Outcome, other: Other) -> str:
    return projects.path_of(entry.target.path, other.path)


class _Wishes:
    """What each entry wants of other files."""

    def __init__(self, entries: Iterable[Outcome]) -> None:
        self.of: dict[str, dict[str, tuple[Due, ...]]] = {}
        for entry in entries:
            for other in _others(entry):
                wished = self.of.setdefault(_path(entry, other), {})
                wished[entry.target.path] = other.migration.due


def _refusals(
    entries: Iterable[Outcome], refused: Mapping[str, Finding], known: Known, wishes: _Wishes
) -> Iterator[tuple[str, Finding]]:
    for entry in entries:
        if entry.target.path in refused:
            continue
        for other in _others(entry):
            finding = _obstacle(entry, other, known, wishes, refused)
            if finding is not None:
                yield entry.target.path, finding
                break


def _obstacle(
    entry: Outcome, other: Other, known: Known, wishes: _Wishes, refused: Mapping[str, Finding]
) -> Finding | None:
    """Why a file can't change for an entry."""
    path = _path(entry, other)
    if path not in known and not other.is_needed:
        return None
    if path not in known:
        work = [due.places[0] for due in other.migration.due if due.code != IMPORT]
        first = min(work, default=(1, 0))[0]
        codes = ", ".join(due.code for due in other.migration.due)
        paths = sorted(os.path.relpath(_path(entry, each)) for each in _others(entry))
        names = " ".join([entry.name, *paths])
        return _finding(other, OUTSIDE.format(f"{other.path}:{first}", codes), ADD.format(names))
    own = known[path][1]
    if own is not None and (own.problem or (own.skipped and own.migration is None)):
        why = own.problem.message if own.problem else own.skipped
        return _finding(other, FAILED.format(other.path, why), "put that right first")
    rival = _rival(entry, other, path, known, wishes, refused)
    if rival == other.path:
        return _finding(other, ITSELF.format(other.path), PART)
    return _finding(other, APART.format(other.path, rival), SPLIT) if rival else None


def _rival(
    entry: Outcome,
    other: Other,
    path: str,
    known: Known,
    wishes: _Wishes,
    refused: Mapping[str, Finding],
) -> str:
    """Another program that runs what changes in a file, and doesn't change it in this way."""
    lines = {line for due in other.migration.due for line, _ in due.places}
    own = known[path][1]
    if own is not None and own.changed:
        return other.path  # it is an entry itself
    files = projects.files(projects.root(os.path.dirname(entry.target.path)))
    for rival in dict.fromkeys((path, *files)):
        wished = wishes.of[path].get(rival) if rival not in refused else None
        is_same = wished is not None and wished == other.migration.due
        if rival != entry.target.path and not is_same and projects.runs(rival, path, lines):
            return projects.relative(rival)
    return ""


def _finding(other: Other, message: str, fix: str) -> Finding:
    from distify.codemods.model import Finding

    return Finding(other.line, 0, CODE, message, fix)


def _blocked(entry: Outcome, finding: Finding) -> Outcome:
    assert entry.migration is not None
    blocked = (*entry.migration.blocked, finding)
    migration = entry.migration._replace(blocked=blocked, steps=(), unmade=(), others=())
    return entry._replace(migration=migration, after=None)


def _changed(target: Target, before: Outcome | None, other: Other) -> Outcome:
    """A file that changes for an entry; what was said of it alone is answered."""
    outcome = Outcome(target, before.source if before is not None else None, other.migration)
    try:
        source = outcome.source or decode(read(target.path))
        if source.text != other.migration.before:
            raise Unreadable("it was changed while distify looked at it; try again")
        return encoded(outcome._replace(source=source))
    except OSError as error:
        cause = reason(error)
    except Unreadable as error:
        cause = error.message
    return outcome._replace(problem=Problem(target.name, cause))
