"""The gate: what the rules have made is judged as any program, and refused where it isn't proved.

What is refused is told at the line of the original, with the obligation and the ways out. Only a
text that came through here is `Migration.judged`, and nothing else is ever written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Callable

from ..judge.case import Case
from ..judge.judge import judge, refusals
from ..judge.obligations import named
from ..judge.proof import KEPT_HOW, Proof
from ..model import BLOCKED, Finding, Migration, Options, TakenOn
from ..program.records import NamedTuple
from ..telling.line_map import LineMap
from ..telling.one_line import in_one_line

if TYPE_CHECKING:
    from ..facts import Facts
    from ..suppressions.comments import Suppression

TAKE_ON = "`# distify: accept[{0}] why` in that line, or --unsound={0}, takes it on you"
GIVEN = "the command line or the settings name it"
WITHOUT = "--unsound leaves {} out, which the file needs"
MARK = "distify:"
_LINE = re.compile(r"\b(line) (\d+)\b")
_SHOWN = 200  # characters of a line of the result


class Texts(NamedTuple):
    """A program's files by their paths, before and after; `entry` is the one that is started.

    `is_handwritten`: nobody has made the one of the other, so that they aren't compared.
    """

    entry: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    is_handwritten: bool = False


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
    if texts.before == texts.after and not texts.is_handwritten:
        return seen
    from ..facts.questions import QUESTIONS

    before = {} if texts.is_handwritten else texts.before
    case = Case(texts.after, before, texts.entry, options, QUESTIONS, facts)
    try:
        proofs = judge(case)
    finally:
        case.close()
    return _answered(seen, proofs, _Asked(texts, options, place, seen.left_out))


def _answered(seen: Migration, proofs: Sequence[Proof], asked: _Asked) -> Migration:
    """The migration with what is proved, refused for what isn't and nobody takes on them."""
    open_ = refusals(proofs, frozenset())
    taken = [each for p in open_ for each in asked.taken_on(p)]
    refused = [asked.finding(p) for p in open_ if not asked.is_taken_on(p)]
    seen = seen._replace(proofs=tuple(proofs), taken_on=tuple(dict.fromkeys(taken)))
    if refused:
        return seen.refused(*dict.fromkeys(refused))
    kept = {proof.obligation for proof in proofs if proof.why == KEPT_HOW}  # what it costs is true
    decided = {proof.obligation for proof in proofs} - kept
    return stamped(_without(seen, decided))


def _without(seen: Migration, kinds: Set[str]) -> Migration:
    """The migration without notes of some kinds."""

    def told(notes: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(note for note in notes if note.kind not in kinds)

    others = tuple(
        each._replace(migration=each.migration._replace(notes=told(each.migration.notes)))
        for each in seen.others
    )
    return seen._replace(notes=told(seen.notes), others=others)


def stamped(seen: Migration) -> Migration:
    """The migration whose texts, of all its files, have been judged."""
    others = tuple(other._replace(migration=other.migration.stamped) for other in seen.others)
    return seen.stamped._replace(others=others)


class _Asked:
    """What isn't proved of a program: at which line of the original, and who takes it on them."""

    def __init__(
        self,
        texts: Texts,
        options: Options,
        place: Callable[[str, int], int],
        left_out: Sequence[str],
    ) -> None:
        self._texts, self._options, self._place = texts, options, place
        self._left_out = left_out
        self._lines = {
            path: LineMap(texts.before.get(path, text), text) for path, text in texts.after.items()
        }
        self._comments = {path: tuple(self._accepting(path)) for path in texts.after}

    def finding(self, proof: Proof) -> Finding:
        """The finding at the line of the original, with what the line would have become."""
        path, line = self._at(proof)
        ways = "; ".join(filter(None, (proof.fix, TAKE_ON.format(proof.obligation))))
        code = proof.code or named(proof.obligation).code
        message = self._with_lines(proof.why, self._lines[path])
        line = self._place(path, line)
        becomes = self._becomes(path, proof)
        column = self._indent(path, proof) if becomes else proof.column
        found = Finding(line, column, code, message, ways, BLOCKED)
        return found._replace(obligation=proof.obligation, becomes=becomes)

    def is_taken_on(self, proof: Proof) -> bool:
        """Whether a person takes an obligation on them there."""
        return next(self.taken_on(proof), None) is not None

    def taken_on(self, proof: Proof) -> Iterator[TakenOn]:
        """Who does: a comment at its line, else whoever has named it, or left rules out."""
        path, line = self._at(proof)
        for comment, lines in self._comments[path]:
            if proof.obligation in comment.accepts and line in lines:
                at = self._place(path, self._lines[path].line(comment.line))
                yield TakenOn(self.finding(proof), comment.reason, at)
                return
        if proof.obligation in self._options.taken_on:
            yield TakenOn(self.finding(proof), GIVEN, 0)
        elif self._left_out:
            yield TakenOn(self.finding(proof), WITHOUT.format(", ".join(self._left_out)), 0)

    def _at(self, proof: Proof) -> tuple[str, int]:
        """The file of the program, and the line that it had there."""
        path = proof.path or self._texts.entry
        return path, max(self._lines[path].line(proof.line), 1)

    def _accepting(self, path: str) -> Iterator[tuple[Suppression, Sequence[int]]]:
        """The comments of a file that take something on, and the lines of the original of each.

        They are read in the result: rules keep them with their statements, and a person may have
        written one into what a rule makes.
        """
        text = self._texts.after[path]
        if MARK not in text:  # few texts need a tokenizer to be judged
            return
        from ..suppressions.comments import suppressions

        lines = self._lines[path]
        for comment in suppressions(text):
            if comment.accepts:
                yield comment, [lines.line(each) for each in (comment.line, *comment.lines)]

    def _becomes(self, path: str, proof: Proof) -> str:
        """The statement of the result, where it is another one than the original has there."""
        now = in_one_line(self._texts.after[path], proof.line) if proof.line else ""
        was = in_one_line(self._texts.before.get(path, ""), self._at(proof)[1])
        return "" if now == was else now[:_SHOWN]

    def _was(self, path: str, proof: Proof) -> str:
        return self._texts.before.get(path, "").split("\n")[self._at(proof)[1] - 1]

    def _indent(self, path: str, proof: Proof) -> int:
        """The column of an original line that became another one, and its columns with it."""
        was = self._was(path, proof)
        return len(was) - len(was.lstrip())

    @staticmethod
    def _with_lines(why: str, lines: LineMap) -> str:
        """The sentence with the lines that the original has."""
        return _LINE.sub(lambda found: f"{found[1]} {lines.line(int(found[2]))}", why)
