"""What `distify verify` proved, in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..verify.judges import _epochs, _seen
from ..verify.judges._words import count
from ..verify.record.verdict import CONVICTED, FINE, UNJUDGED, Verdict, exit_code
from .lines import Span

if TYPE_CHECKING:
    from ..verify.record.evidence import Evidence

# A fault that these judges see means that the workers are not in step, or never got so far.
APART = frozenset({"drift", "hang", "steps", "collectives"})


def extent(evidence: Evidence, resumed: bool = False) -> str:
    """How much was proved, where the workers are in step: ` for 12 steps, 2 epochs`."""
    workers = _seen.everyone(evidence)
    made = min((_seen.steps(worker) for worker in workers), default=0)
    ends = min((_epochs.made(worker, made) for worker in workers), default=0)
    parts = [count(made, "step")] if made else []
    # Arrays are begun once for all epochs of a `fit`: one beginning tells nothing of epochs.
    parts += [count(ends, "epoch")] if ends > 1 else []
    parts += ["1 save and resume"] if resumed else []
    return f" for {', '.join(parts)}" if parts else ""


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
