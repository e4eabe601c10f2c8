"""What `distify verify` proved, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from ..verify.verdict import CONVICTED, FINE, UNJUDGED, Verdict, exit_code
from .lines import Span

# A fault that these judges see means that the workers are not in step, or never got so far.
APART = frozenset({"drift", "hang", "steps", "collectives"})


def headline(verdicts: Sequence[Verdict]) -> Span:
    """The answer in a few words."""
    code = exit_code(verdicts)
    guilty = {verdict.question for verdict in verdicts if verdict.grade == CONVICTED}
    if guilty & APART:
        return Span("NOT IN STEP", "blocked")
    if "ended" in guilty:
        return Span("FAILS", "blocked")
    if guilty:
        proved = any(v.question == "drift" and v.grade == FINE for v in verdicts)
        return Span("IN STEP, BUT NOT SOUND" if proved else "NOT SOUND", "blocked")
    return Span("COULD NOT BE JUDGED", "note") if code == UNJUDGED else Span("IN STEP", "changed")
