"""Programs that have all of Horovod: what only keeps distify from completing one is a remark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from ..facts import Facts
from ..facts.workers.horovod_parts import is_whole
from ..model import ALREADY_HOROVOD, BLOCKED, NOTE, Finding

Spared = tuple[tuple[Finding, ...], Optional[str]]
LEFT = "{}; the program has each part of Horovod, and is left as it is"


def spared(facts: Facts, findings: Sequence[Finding]) -> Spared:
    """The findings without errors that no harm stands behind, and why the text is left alone.

    A proof of harm stays an error, beside which the remarks about the others are dropped.
    """
    is_asked = facts.options.distributes
    if not (is_asked and is_whole(facts)):
        return tuple(findings), None
    if any(each.severity == BLOCKED and each.proves for each in findings):
        return tuple(f for f in findings if f.severity != BLOCKED or f.proves), None
    return tuple(_remark(each) for each in findings), ALREADY_HOROVOD


def _remark(finding: Finding) -> Finding:
    if finding.severity != BLOCKED:
        return finding
    message = LEFT.format(finding.message)
    return finding._replace(message=message, fix="", severity=NOTE, stands=True)
