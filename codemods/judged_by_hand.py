"""What the judge finds in Horovod that a person has written, as the findings of `check`.

What is wrong is an error; what nobody can tell is a note. Nothing is told twice: an older check
that speaks of one of the same lines has said it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .judge.case import Case
from .judge.judge import judge
from .judge.obligations import named
from .judge.proof import VIOLATED, Proof
from .model import BLOCKED, NOTE, Finding

if TYPE_CHECKING:
    from .facts import Facts

_LINE = re.compile(r"\bline (\d+)\b")


def judged_by_hand(facts: Facts, told: Iterable[Finding]) -> Iterator[Finding]:
    """What isn't proved of the program, and nobody has told. Raises TooLarge."""
    others = [finding for finding in told if finding.severity != NOTE]
    for proof in judge(Case.written(facts)):
        if not (proof.holds or _is_told(proof, others)):
            yield _finding(proof)


def _finding(proof: Proof) -> Finding:
    is_wrong = proof.verdict == VIOLATED
    code = proof.code or named(proof.obligation).code
    severity = BLOCKED if is_wrong else NOTE
    found = Finding(max(proof.line, 1), proof.column, code, proof.why, proof.fix, severity)
    return found._replace(stands=True, proves=is_wrong)


def _is_told(proof: Proof, told: Iterable[Finding]) -> bool:
    """Whether another check speaks of a line that the proof is about."""
    codes, lines = named(proof.obligation).speaks_as, _lines(proof.line, proof.why)
    return any(f.code in codes and lines & _lines(f.line, f.message) for f in told)


def _lines(line: int, message: str) -> set[int]:
    return {line, *(int(number) for number in _LINE.findall(message))}
