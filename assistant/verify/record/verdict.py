"""What a judge says: a code of a rule or hazard, how sure it is, and what was seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

CONVICTED = "convicted"  # certain: the program does not train as it should
UNCHECKED = "unchecked"  # could not be seen, or not far enough to be sure: never "fine"
FINE = "fine"  # was seen, and is as it should be
NOTE = "note"  # worth knowing, and no fault
GRADES = (CONVICTED, UNCHECKED, NOTE, FINE)

SOUND, UNSOUND, UNJUDGED = 0, 1, 2
# Without an answer to these nothing is proved, whatever else was seen.
DECISIVE = frozenset({"drift", "ended", "hang"})


@dataclass(frozen=True)
class Verdict:
    """One answer to one question.

    `text` is a sentence with the figures; `evidence` holds lines to be shown below it as they are;
    `where` and `places` are lines of the user's files (`train.py:41`).
    """

    code: str
    grade: str
    title: str
    text: str = ""
    ranks: tuple[int, ...] = ()
    where: str | None = None
    evidence: tuple[str, ...] = ()
    fix: str = ""
    places: tuple[str, ...] = ()  # other lines that matter, after `where`
    question: str = ""  # the judge that answered; set where all answers are collected


def convicted(code: str, title: str, text: str, **more: object) -> Verdict:
    """A fault that is certain."""
    return Verdict(code, CONVICTED, title, text, **more)  # type: ignore[arg-type]


def unchecked(title: str, why: str, **more: object) -> Verdict:
    """What could not be checked, and why."""
    return Verdict("", UNCHECKED, title, why, **more)  # type: ignore[arg-type]


def fine(title: str, text: str = "", **more: object) -> Verdict:
    """Checked and good: what was asked ("whether …") is so."""
    return Verdict("", FINE, title.removeprefix("whether "), text, **more)  # type: ignore[arg-type]


def note(title: str, text: str, code: str = "", **more: object) -> Verdict:
    """Worth knowing, and no fault."""
    return Verdict(code, NOTE, title, text, **more)  # type: ignore[arg-type]


def exit_code(verdicts: Iterable[Verdict]) -> int:
    """0 nothing convicted, 1 convicted, 2 nothing could be proved."""
    verdicts = list(verdicts)
    if any(verdict.grade == CONVICTED for verdict in verdicts):
        return UNSOUND
    return UNJUDGED if any(map(leaves_open, verdicts)) or not verdicts else SOUND


def leaves_open(verdict: Verdict) -> bool:
    """Whether this answer leaves open if the workers are in step at all."""
    return verdict.grade == UNCHECKED and verdict.question in DECISIVE
