"""What the judge finds in Horovod that a person has written, as the findings of `check`.

What is wrong is an error; what nobody can tell is a note. Nothing is told twice: an older check
that speaks of one of the same lines has said it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..judge.case import Case
from ..judge.obligations import OBLIGATIONS, named
from ..judge.proof import VIOLATED, Proof
from ..model import BLOCKED, NOTE, Finding, TakenOn
from ..program.records import NamedTuple
from .judging import GIVEN, MARK, TAKE_ON

if TYPE_CHECKING:
    from ..facts import Facts
    from ..suppressions.comments import Suppression

_LINE = re.compile(r"\bline (\d+)\b")


class Judged(NamedTuple):
    """What others found and what isn't proved, and what a person takes on them of the latter."""

    found: tuple[Finding, ...]
    taken_on: tuple[TakenOn, ...] = ()


def judged_by_hand(facts: Facts, told: Iterable[Finding]) -> Judged:
    """What isn't proved of the program, beside what others found. Raises TooLarge.

    What another check tells of the same place stands in its words, and the harm is proved.
    """
    found, taken = list(told), []
    comments = _accepting(facts.source.text)
    case = Case.written(facts)
    asked = (proof for each in OBLIGATIONS if each.by_hand for proof in each.prove_by_hand(case))
    for proof in (each for each in asked if not each.holds):
        finding = _finding(proof)
        comment = next((c for c in comments if _is_about(c, proof)), None)
        same = [n for n, each in enumerate(found) if _says(each, proof)]
        if comment is not None or proof.obligation in facts.options.taken_on:
            reason, line = (comment.reason, comment.line) if comment else (GIVEN, 0)
            taken.append(TakenOn(finding, reason, line))
        elif not same:
            found.append(finding)
        elif proof.verdict == VIOLATED:
            found = [f._replace(proves=True) if n in same else f for n, f in enumerate(found)]
    return Judged(tuple(found), tuple(taken))


def _accepting(text: str) -> tuple[Suppression, ...]:
    """The comments that take on an obligation; few texts need a tokenizer to be judged."""
    if MARK not in text:
        return ()
    from ..suppressions.comments import suppressions

    return tuple(comment for comment in suppressions(text) if comment.accepts)


def _is_about(comment: Suppression, proof: Proof) -> bool:
    return proof.obligation in comment.accepts and proof.line in comment.lines


def _finding(proof: Proof) -> Finding:
    is_wrong = proof.verdict == VIOLATED
    code = proof.code or named(proof.obligation).code
    severity = BLOCKED if is_wrong else NOTE
    ways = "; ".join(filter(None, (proof.fix, TAKE_ON.format(proof.obligation))))
    found = Finding(max(proof.line, 1), proof.column, code, proof.why, ways, severity)
    return found._replace(stands=True, proves=is_wrong, obligation=proof.obligation)


def _says(finding: Finding, proof: Proof) -> bool:
    """Whether another check speaks of a line that the proof is about."""
    codes = (proof.code, *named(proof.obligation).speaks_as)
    is_one = finding.severity != NOTE and finding.code in codes
    lines = _lines(proof.line, proof.why)
    return is_one and bool(lines & _lines(finding.line, finding.message))


def _lines(line: int, message: str) -> set[int]:
    return {line, *(int(number) for number in _LINE.findall(message))}
