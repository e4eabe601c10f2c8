"""A comment that takes a finding, or an obligation, on its writer, put where that stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..files.outcome import Outcome
from ..files.source import Source, Unreadable
from ..report.spots import words
from .dialogue import Obstacle
from .lost_rules import NONE, Look

if TYPE_CHECKING:
    from distify.codemods.model import Finding

_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\r|\n")


def commented(step: Obstacle, reason: str, look: Look) -> bytes:
    """What a file holds with the comment on what is in its way.

    Raises Unreadable where the encoding can't hold the reason, or the comment takes nothing away.
    """
    outcome, migration = step.outcome, step.outcome.migration
    if outcome.source is None or migration is None:
        raise Unreadable("there is no line for a comment")
    finding = migration.blocked[step.at]
    source = with_comment(outcome.source, finding, reason)
    if not is_taken(look(outcome._replace(source=source), NONE), finding):
        where = words(outcome, ((finding.line, finding.column),))
        raise Unreadable(f"a comment in {where} does not take it away")
    return source.data


def with_comment(source: Source, finding: Finding, reason: str) -> Source:
    """The source with `# distify: ignore[CODE] reason` in the line of the finding.

    What the judge can't prove is accepted by the name of its obligation. Raises Unreadable where
    the encoding can't hold the reason.
    """
    text = source.text
    starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
    found = _LINE.match(text, starts[finding.line - 1])
    end = found.end() if found else len(text)
    named = f"accept[{finding.obligation}]" if finding.obligation else f"ignore[{finding.code}]"
    comment = f"# distify: {named} {' '.join(reason.split())}".rstrip()
    text = f"{text[:end].rstrip()}  {comment}{text[end:]}"
    return source.with_text(text)


def is_taken(outcome: Outcome, finding: Finding) -> bool:
    """Whether a file, looked at again, is no longer blocked by this."""
    migration = outcome.migration
    same = [each for each in (migration.blocked if migration else ()) if _is_same(each, finding)]
    return outcome.problem is None and not same


def _is_same(one: Finding, other: Finding) -> bool:
    return (one.code, one.line, one.message) == (other.code, other.line, other.message)
