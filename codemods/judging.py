"""The gate: what the rules have made is judged as any program, and refused where it isn't proved.

What is refused is told at the line of the original, with the obligation and the ways out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Callable

from .judge.case import Case
from .judge.judge import judge, refusals
from .judge.obligations import named
from .judge.proof import Proof
from .line_map import LineMap
from .model import BLOCKED, Finding, Migration, Options
from .program.records import NamedTuple

if TYPE_CHECKING:
    from .facts import Facts

TAKE_ON = "`# distify: accept[{0}] why` in that line, or --unsound={0}, takes it on you"
_LINE = re.compile(r"\b(line) (\d+)\b")


class Texts(NamedTuple):
    """A program's files by their paths, before and after; `entry` is the one that is started."""

    entry: str
    before: Mapping[str, str]
    after: Mapping[str, str]


def same_line(path: str, line: int) -> int:
    """For a program of one file, whose findings stand at its own lines."""
    return line


def approved(
    seen: Migration,
    texts: Texts,
    options: Options,
    facts: Callable[[], Facts],
    place: Callable[[str, int], int] = same_line,
) -> Migration:
    """The migration with its proofs, or refused for what isn't proved. Raises TooLarge.

    `facts` makes those of the result, all files together; `place` says which line of what is told
    a line of an original file is.
    """
    if texts.before == texts.after:
        return seen
    from .facts.questions import QUESTIONS

    case = Case(texts.after, texts.before, texts.entry, options, QUESTIONS, facts)
    try:
        proofs = judge(case)
    finally:
        case.close()
    refused = refusals(proofs, options.taken_on)
    if not refused:
        return seen._replace(proofs=tuple(proofs))
    findings = dict.fromkeys(_findings(refused, texts, place))
    return seen._replace(steps=(), unmade=(), others=(), blocked=(*seen.blocked, *findings))


def _findings(
    refused: Sequence[Proof], texts: Texts, place: Callable[[str, int], int]
) -> Iterator[Finding]:
    """What is refused, as findings at the lines that the original files have."""
    lines = {path: LineMap(text, texts.after[path]) for path, text in texts.before.items()}
    for proof in refused:
        path = proof.path or texts.entry
        line = place(path, max(lines[path].line(proof.line), 1))
        ways = "; ".join(filter(None, (proof.fix, TAKE_ON.format(proof.obligation))))
        code = proof.code or named(proof.obligation).code
        message = _with_lines(proof.why, lines[path])
        yield Finding(line, proof.column, code, message, ways, BLOCKED)


def _with_lines(why: str, lines: LineMap) -> str:
    """The sentence with the lines that the original has."""
    return _LINE.sub(lambda found: f"{found[1]} {lines.line(int(found[2]))}", why)
