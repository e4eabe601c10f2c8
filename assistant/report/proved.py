"""What is proved of a result, how, and on which assumptions; and what a person takes on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from distify.codemods.judge.proof import TURNS, WORDS

from ..files.outcome import Outcome
from .lines import Line, Span, wrapped
from .spots import words

if TYPE_CHECKING:
    from distify.codemods.judge.proof import Proof
    from distify.codemods.model import Finding

INDENT = "  "
SHOWN = 2  # assumptions that everybody is told
WAY_UP = (
    "each worker makes all of them and uses one in N: cut what they are made of, where you can, "
    "to be faster"
)
NO_REASON = "none is given; write it behind the bracket of the comment"


def of(outcome: Outcome) -> Sequence[Proof]:
    """What the judge says of what is written: of a program, at its entry."""
    return outcome.migration.proofs if outcome.migration is not None and outcome.changed else ()


def proved(proofs: Sequence[Proof]) -> tuple[str, ...]:
    """The obligations that hold, in the order in which they were asked."""
    open_ = {each.obligation for each in proofs if not each.holds}
    return tuple(dict.fromkeys(p.obligation for p in proofs if p.obligation not in open_))


def assumptions(proofs: Sequence[Proof]) -> tuple[str, ...]:
    """What has to be so outside of the program, each once."""
    return tuple(dict.fromkeys(a for each in proofs if each.holds for a in each.assumptions))


def sentence(proofs: Sequence[Proof]) -> str:
    """`same, bound; assuming the same files on all machines`; empty where nothing was asked."""
    return _sentence(proofs, assumptions(proofs))


def shared(proofs: Sequence[Proof]) -> str:
    """`arrays at their source, rung 1`: where each worker's share is cut, and what that costs."""
    found = sorted({rung for each in proofs for rung in each.rungs})
    way_up = [WAY_UP] if TURNS in found else []
    return "; ".join([*(f"{WORDS[rung]}, rung {rung}" for rung in found), *way_up])


def _sentence(proofs: Sequence[Proof], assumed: Sequence[str]) -> str:
    names = ", ".join(proved(proofs))
    return f"{names}; assuming {'; '.join(assumed)}" if names and assumed else names


def _short(proofs: Sequence[Proof]) -> str:
    """The same, with the first of many assumptions."""
    every = assumptions(proofs)
    more = len(every) - SHOWN
    rest = [f"and {more} more things, which --verbose lists"] if more > 0 else []
    return _sentence(proofs, [*every[:SHOWN], *rest])


def lines(outcome: Outcome, width: int | None, is_all: bool) -> Iterator[Line]:
    """One line for people; to who wants to know all, one for each proof."""
    proofs = of(outcome)
    if proved(proofs):
        yield from wrapped(
            (Span(INDENT), Span("proved", "changed"), Span(": ")),
            sentence(proofs) if is_all else _short(proofs),
            width,
        )
    if proved(proofs) and shared(proofs):
        yield from wrapped((Span(INDENT), Span("shared by ", "dim")), shared(proofs), width)
    for each in proofs if is_all else ():
        yield from _line(each, width)
    for taken in outcome.taken_on:
        place = Span(words(outcome, ((taken.finding.line, 0),)), "place")
        head = (Span(INDENT), Span("taken on", "note"), Span(f" {taken.obligation} "), place)
        yield from wrapped((*head, Span(": ")), taken.finding.message, width)
        reason = (Span(f"{INDENT * 2}reason: ", "dim"),)
        yield from wrapped(reason, taken.reason or NO_REASON, width)


def _line(proof: Proof, width: int | None) -> Iterator[Line]:
    place = f" {proof.path}:{proof.line}" if proof.line else ""
    style = "dim" if proof.holds else "note"
    head = (Span(INDENT * 2), Span(proof.verdict, style), Span(f" {proof.obligation}{place}: "))
    yield from wrapped(head, proof.why, width)


def taken_on(outcome: Outcome) -> str:
    """What is said wherever the file is named: this isn't proved, and somebody takes it on them."""
    names = dict.fromkeys(each.obligation for each in outcome.taken_on)
    return f"taken on: {', '.join(names)}"


def data(proofs: Sequence[Proof]) -> list[dict[str, Any]]:
    """The same for programs; lines are those of the result."""
    return [
        {
            "obligation": each.obligation,
            "verdict": each.verdict,
            "how": each.why,
            "assumptions": list(each.assumptions),
            "line": each.line or None,
            "rungs": list(each.rungs),
        }
        for each in proofs
    ]


def would_become(finding: Finding) -> str:
    """The line that the rules would have made, in words; empty where it is the same."""
    return f"would become: {finding.becomes}" if finding.becomes else ""
