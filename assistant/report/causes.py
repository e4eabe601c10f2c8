"""What keeps most files of a report as they are: one line in one file, told before all files.

What one line keeps several files from is told of one of these; the others name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from ..files import projects
from ..files.outcome import Outcome
from .lines import EMPTY, Line, Span, wrapped

if TYPE_CHECKING:
    from distify.codemods.model import Finding

# As `Report` and `obstacles` tell where the cause really is: in another file, or of another file.
ELSEWHERE = re.compile(r"^(.*) \(([^()\s]+):(\d+)\)$", re.DOTALL)
OF_ANOTHER = re.compile(
    r"`([^`]+)`(?:, which runs the same code, is| starts this training, and is) refused"
)
TOLD = "{}:{} keeps this file back, as is told of {}"
WHAT = "{} in {}:{} keeps {} files from being migrated: {}"


Key = tuple[str, str, int]  # code, path, line


class Cause(NamedTuple):
    """The place that has to be put right, and what is the matter there."""

    code: str
    path: str
    line: int
    message: str

    @property
    def key(self) -> Key:
        """What makes it the same as another one."""
        return self.code, self.path, self.line


class Shared:
    """The causes that keep several files back, and the one of which each is told."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._blocked = _by_path(outcomes)
        self._homes: dict[Key, Outcome] = {}
        self._users: dict[Key, dict[str, None]] = {}  # their names
        for is_direct in (True, False):
            for outcome in self._blocked.values():
                for finding in outcome.migration.blocked if outcome.migration else ():
                    self._note(outcome, finding, is_direct)

    def _note(self, outcome: Outcome, finding: Finding, is_direct: bool) -> None:
        cause = self._of(outcome, finding)
        if cause is not None and (OF_ANOTHER.search(finding.message) is None) is is_direct:
            self._homes.setdefault(cause.key, outcome)
            self._users.setdefault(cause.key, {})[outcome.name] = None

    def _of(self, outcome: Outcome, finding: Finding) -> Cause | None:
        return _cause_of(outcome, finding, self._blocked, frozenset())

    def elsewhere(self, outcome: Outcome, finding: Finding) -> str:
        """Where what keeps a file back is told of another one; empty where it is told of this."""
        cause = self._of(outcome, finding)
        home = self._homes.get(cause.key) if cause is not None else None
        if cause is None or home is None or home.target.path == outcome.target.path:
            return ""
        return TOLD.format(projects.relative(cause.path), cause.line, home.name)

    def others(self, outcome: Outcome, finding: Finding) -> list[str]:
        """The other files that are kept back by what is told of this one."""
        cause = self._of(outcome, finding)
        users = self._users.get(cause.key, {}) if cause is not None else {}
        return [name for name in users if name != outcome.name]


def first(outcomes: Sequence[Outcome], width: int | None) -> Iterator[Line]:
    """The cause that keeps most files back, where it is more than one."""
    blocked = _by_path(outcomes)
    found: dict[Key, list[Cause]] = {}
    for outcome in blocked.values():
        cause = _cause(outcome, blocked, frozenset())
        if cause is not None:
            found.setdefault(cause.key, []).append(cause)
    most = max(found.values(), key=len, default=[])
    if len(most) > 1:
        code, path, line, message = most[0]
        name = projects.relative(path)
        told = WHAT.format(code, name, line, len(most), " ".join(message.split()))
        yield from wrapped((Span("First: ", "blocked"),), told, width)
        yield EMPTY


def _by_path(outcomes: Sequence[Outcome]) -> dict[str, Outcome]:
    """The files that are kept back, by their paths in the project."""
    kept_back = [outcome for outcome in outcomes if outcome.blocked]
    if len(kept_back) < 2:  # of what came in by a pipe there is no path either
        return {}
    return {projects.relative(o.target.path): o for o in kept_back}


def _cause(outcome: Outcome, blocked: Mapping[str, Outcome], seen: frozenset[str]) -> Cause | None:
    """Where the first reason of a file really is, through the files that wait for each other."""
    migration, own = outcome.migration, outcome.target.path
    if migration is None or own in seen:
        return None
    return _cause_of(outcome, migration.blocked[0], blocked, seen)


def _cause_of(
    outcome: Outcome, finding: Finding, blocked: Mapping[str, Outcome], seen: frozenset[str]
) -> Cause | None:
    own = outcome.target.path
    other = OF_ANOTHER.search(finding.message)
    if other is not None and other[1] in blocked:
        return _cause(blocked[other[1]], blocked, seen | {own})
    there = ELSEWHERE.match(finding.message)
    if there is not None:
        path = projects.path_of(own, there[2])
        return Cause(finding.code, path, int(there[3]), there[1])
    return Cause(finding.code, own, finding.line, finding.message)
