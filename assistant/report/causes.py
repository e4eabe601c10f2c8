"""What keeps most files of a report as they are: one line in one file, told before all files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from distify.codemods.program.records import NamedTuple

from ..files import projects
from ..files.outcome import Outcome
from .lines import EMPTY, Line, Span, wrapped

# As `Report` and `obstacles` tell where the cause really is: in another file, or of another file.
ELSEWHERE = re.compile(r"^(.*) \(([^()\s]+):(\d+)\)$", re.DOTALL)
OF_ANOTHER = re.compile(
    r"`([^`]+)`(?:, which runs the same code, is| starts this training, and is) refused"
)
WHAT = "{} in {}:{} keeps {} files from being migrated: {}"


class Cause(NamedTuple):
    """The place that has to be put right, and what is the matter there."""

    code: str
    path: str
    line: int
    message: str


def first(outcomes: Sequence[Outcome], width: int | None) -> Iterator[Line]:
    """The cause that keeps most files back, where it is more than one."""
    kept_back = [outcome for outcome in outcomes if outcome.blocked]
    if len(kept_back) < 2:  # of what came in by a pipe there is no path either
        return
    blocked = {projects.relative(o.target.path): o for o in kept_back}
    found: dict[tuple[str, str, int], list[Cause]] = {}
    for outcome in blocked.values():
        cause = _cause(outcome, blocked, frozenset())
        if cause is not None:
            found.setdefault(cause[:3], []).append(cause)
    most = max(found.values(), key=len, default=[])
    if len(most) > 1:
        code, path, line, message = most[0]
        name = projects.relative(path)
        told = WHAT.format(code, name, line, len(most), " ".join(message.split()))
        yield from wrapped((Span("First: ", "blocked"),), told, width)
        yield EMPTY


def _cause(outcome: Outcome, blocked: Mapping[str, Outcome], seen: frozenset[str]) -> Cause | None:
    """Where the first reason of a file really is, through the files that wait for each other."""
    migration, own = outcome.migration, outcome.target.path
    if migration is None or own in seen:
        return None
    finding = migration.blocked[0]
    other = OF_ANOTHER.search(finding.message)
    if other is not None and other[1] in blocked:
        return _cause(blocked[other[1]], blocked, seen | {own})
    there = ELSEWHERE.match(finding.message)
    if there is not None:
        path = projects.path_of(own, there[2])
        return Cause(finding.code, path, int(there[3]), there[1])
    return Cause(finding.code, own, finding.line, finding.message)
