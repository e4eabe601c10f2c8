"""What the judge finds in Horovod that a person has written, as the findings of `check`.

What is wrong is an error; what nobody can tell is a note. Nothing is told twice: an older check
that speaks of one of the same lines has said it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .judge.case import Case
from .judge.judge import judge
from .judge.obligations import named
from .judge.proof import VIOLATED, Proof
from .model import BLOCKED, NOTE, Finding

if TYPE_CHECKING:
    from .facts import Facts

_LINE = re.compile(r"\bline (\d+)\b")


def judged_by_hand(facts: Facts, told: Iterable[Finding]) -> list[Finding]:
    """What others found, and what isn't proved of the program. Raises TooLarge.

    What another check tells of the same place stands in its words, and the harm is proved.
    """
    found, proofs = list(told), [p for p in judge(Case.written(facts)) if not p.holds]
    for proof in proofs:
        same = [n for n, each in enumerate(found) if _says(each, proof)]
        for n in same if proof.verdict == VIOLATED else ():
            found[n] = found[n]._replace(proves=True)
        if not same:
            found.append(_finding(proof))
    return found


def _finding(proof: Proof) -> Finding:
    is_wrong = proof.verdict == VIOLATED
    code = proof.code or named(proof.obligation).code
    severity = BLOCKED if is_wrong else NOTE
    found = Finding(max(proof.line, 1), proof.column, code, proof.why, proof.fix, severity)
    return found._replace(stands=True, proves=is_wrong)


def _says(finding: Finding, proof: Proof) -> bool:
    """Whether another check speaks of a line that the proof is about."""
    is_one = finding.severity != NOTE and finding.code in named(proof.obligation).speaks_as
    lines = _lines(proof.line, proof.why)
    return is_one and bool(lines & _lines(finding.line, finding.message))


def _lines(line: int, message: str) -> set[int]:
    return {line, *(int(number) for number in _LINE.findall(message))}
