"""What today's checks say of a program, each under the obligation that it belongs to.

A check that finds harm proves that an obligation is violated; what only is in its way says that it
isn't proved; and one that finds nothing proves nothing. What a comment answers for is left out:
whoever takes a finding on them has read it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..library.words import words
from ..model import BLOCKED, NOTE, Finding
from .proof import NOT_PROVED, VIOLATED, Proof

if TYPE_CHECKING:
    from ..facts import Facts
    from ..facts.workers.horovod_parts import Unaveraged
    from .case import Case

_CODES: Mapping[str, str] = {
    "together": "H02 H05 H12 M02 M04",
    "start": "H01 H11",
    "averaged": "H06 H07 G01 G03",
    "update": "T07 H04 H08 H16",
    "steps": "K04 H03 H19",
    "size": "H10 H18",
    "writers": "H14 K05 D203 D204 D205 D206 D207",
    "reported": "H09",
    "seen": "T01 G02 P03",
    "counts": "D106",
}
OBLIGATION_OF: Mapping[str, str] = {
    code: name for name, codes in _CODES.items() for code in words(codes)
}
# No second look: what distify says of all Horovod of TensorFlow 1, and of what it won't complete.
_DONE = ("T06", "P02")


def wrapped(case: Case, obligation: str) -> Iterator[Proof]:
    """What the checks of an obligation find in a program."""
    for finding in findings(case):
        if OBLIGATION_OF.get(finding.code) == obligation:
            yield proof(case, obligation, finding)


def unaveraged(case: Case) -> Iterator[Unaveraged]:
    """The optimizers that many workers train with and that nobody has wrapped."""
    from ..facts.workers import horovod_parts

    return horovod_parts.unaveraged(case.facts)


def has_all_of_horovod(case: Case) -> bool:
    """Whether no rule would complete the program: it starts, averages and broadcasts."""
    from ..facts.workers import horovod_parts

    return horovod_parts.is_whole(case.facts)


def doubted(case: Case, obligation: str) -> tuple[Finding, ...]:
    """The notes on what an obligation decides, that nobody answers for."""
    return tuple(each for each in case.once(_told) if each.kind == obligation)


def doubts(case: Case, obligation: str) -> Iterator[Proof]:
    """The same as answers: of what nobody has looked at more closely."""
    for finding in doubted(case, obligation):
        yield proof(case, obligation, finding)._replace(verdict=NOT_PROVED)


def findings(case: Case) -> tuple[Finding, ...]:
    """All that is found and that nobody answers for, but for remarks."""
    return tuple(each for each in case.once(_told) if each.severity != NOTE)


def _told(case: Case) -> tuple[Finding, ...]:
    from .. import restrictions
    from ..suppressions.unsuppressed import Asides

    found = restrictions.findings(case.facts)
    return Asides(case.facts).unsuppressed(each for each in found if each.code not in _DONE)


def proof(case: Case, obligation: str, finding: Finding) -> Proof:
    """A finding as an answer: harm is a violation, and what is only in the way is not proved."""
    is_harm = finding.proves or finding.severity != BLOCKED
    path, line = placed(case.facts, case.entry, finding.line)
    answer = VIOLATED if is_harm else NOT_PROVED
    why, fix = finding.message, finding.fix
    return Proof(obligation, answer, why, path, line, finding.column, fix, finding.code)


def proof_at(
    case: Case, obligation: str, verdict: str, node: ast.AST, why: str, fix: str = ""
) -> Proof:
    """An answer at a node of what today's facts have read."""
    line, column = case.facts.place(node)
    path, line = placed(case.facts, case.entry, line)
    return Proof(obligation, verdict, why, path, line, column, fix)


def placed(facts: Facts, entry: str, line: int) -> tuple[str, int]:
    """The file, and its line, of a line of the program that the facts have read.

    Of what a person has written, whose entry has no name, who reports it finds the file.
    """
    if facts.joined is None or not entry:
        return entry, line
    piece = facts.joined.piece(line)
    return piece.path, line - piece.shift
