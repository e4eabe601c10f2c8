"""What is told of all that was found: one reason for each cause.

A value that can't be followed makes several restrictions fire; a person mends it once.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model import BLOCKED, Finding


def one_finding_per_cause(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in the order of the text, of each cause the one that is nearest to it."""
    kept: dict[tuple[object, ...], Finding] = {}  # the first word on a place stands
    for finding in sorted(found, key=_nearest_first):
        kept.setdefault(_cause(finding), finding)
    return tuple(sorted(kept.values()))


def _cause(finding: Finding) -> tuple[object, ...]:
    """The same for findings that are mended together.

    Where nothing lies behind a place, each blocker there is a trouble of its own; notes about it
    say the same in other words.
    """
    place = (finding.severity, finding.line, finding.column)
    if finding.cause or finding.severity != BLOCKED:
        return (*place, finding.cause)
    return (*place, finding.code)


def _nearest_first(finding: Finding) -> tuple[int, str]:
    return abs(finding.reaches - finding.line) if finding.reaches else 0, finding.code
