"""What a person takes on them: findings that no longer block, places that are left alone.

A comment or the settings name codes. Whatever they name in vain is told (S01); a place is left
alone only where the result is right without it, and nothing else was decided together with it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .. import restrictions, rewrites
from ..applying import unmade
from ..applying.needs import need_of
from ..applying.places_to_edit import Found, positions
from ..applying.unselected_rules import CODE as LEFT_OUT
from ..edits import At, Places
from ..facts import Facts
from ..facts.declared import declarations
from ..judge import obligations
from ..model import BLOCKED, NOTE, RECOMPUTE, Finding, Migration, Suppressed, UnsoundResult
from ..program.graph import TooLarge
from ..rewrites import Rewrite
from .declarations import KEPT_RATE, MEANT_RACE, OWN_ROWS
from .declarations import KNOWN as DECLARED

if TYPE_CHECKING:
    from .comments import Suppression
    from .declarations import Declaration

CODE, MARK = "S01", "distify:"
SETTLED = ("N01", "T06")  # where they hold nothing else is asked
ELSEWHERE = re.compile(r"[HM]\d\d")
ACCEPT = "`# distify: accept[{}] why` takes it on you"
FIXED: Mapping[str, str] = {
    **{each.code: ACCEPT.format(each.name) for each in obligations.OBLIGATIONS},
    "N01": "no rule is made for what stands here: `# distify: skip-file` leaves the file alone",
    "T06": "no rule is made for what stands here: `# distify: skip-file` leaves the file alone",
    "N04": "nothing is known about the file: `# distify: skip-file` leaves it alone",
    "P01": "--unsound does without the rules that are named",
    "P02": "it only says what `distify migrate` adds",
    unmade.CODE: "nothing can be written: `# distify: skip-file` leaves the file alone",
    "P03": "what is there can't be completed: `# distify: skip-file` leaves the file alone",
    CODE: "it is about such comments",
}
NO_NAME = "there is no obligation {}, so nothing is accepted"
NOT_ASKED = "{} is not in question here, so nothing is accepted"
SETTINGS = "per-file-ignores in the settings"
SPELLING = (
    "write `# distify: ignore[CODE] reason`, `# distify: accept[NAME] reason`, or "
    "`# distify: skip-file` as a comment of its own"
)
DECLARING = (
    f"write `# distify: {OWN_ROWS}`, `# distify: {KEPT_RATE}` or `# distify: {MEANT_RACE}`, and why"
)
TAKEN = {
    OWN_ROWS: "each worker has examples of its own here: nothing is shared out, the rate is scaled",
    KEPT_RATE: "this learning rate stays as it is, however many workers there are",
}
PLACE = "it belongs at the end of the first or the last line of the statement that is reported"
WITHOUT = "remove the comment; `--ignore {code} --unsound` leaves the rule out of whole files"


class Asides:
    """The suppressions of one text, and which of them were of use."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._comments = _comments(facts.source.text)
        self._declared = declarations(facts)
        self._of_file = facts.options.suppressed
        self._suppressed: list[Suppressed] = []
        self._used: set[tuple[Suppression, str]] = set()
        self._answered: set[tuple[Suppression, str]] = set()  # a finding, so no rewrite is meant

    def unsuppressed(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that nobody takes on them; the others are remembered."""
        stand: list[Finding] = []
        for finding in findings:
            found = self._answer(finding) if finding.code not in FIXED else None
            if found is None:
                stand.append(finding)
            else:
                self._suppressed.append(found)
        return tuple(stand)

    def taken_back(self, seen: Migration, error: Exception) -> Migration:
        """Refused after all, for the blocks that keep a text from being made, or for the error.

        Raises the error if it is about no edit.
        """
        blocks = [each.finding for each in self._suppressed if each.blocks]
        if isinstance(error, UnsoundResult) and not blocks:
            return unmade.refused(seen, error)
        if not blocks or isinstance(error, TooLarge):
            raise error
        self._suppressed = [each for each in self._suppressed if not each.blocks]
        why = f" (suppressed in vain: what the rules would write is no program, {error})"
        return seen._replace(blocked=tuple(f._replace(message=f.message + why) for f in blocks))

    def _answer(self, finding: Finding) -> Suppressed | None:
        for comment in self._at(finding.line, finding.code):
            self._answered.add((comment, finding.code))
            return Suppressed(finding, comment.reason, comment.line)
        if finding.code in self._of_file:
            return Suppressed(finding, SETTINGS, 0)
        return None

    def _at(self, line: int, code: str) -> list[Suppression]:
        """The comments about a line that name a code; they are of use then."""
        found = [c for c in self._comments if code in c.codes and line in c.lines]
        self._used.update((comment, code) for comment in found)
        return found

    # -- rewrites -----------------------------------------------------------------------------

    def without_suppressed_places(
        self, found: Iterable[Found]
    ) -> tuple[list[Found], tuple[Finding, ...]]:
        """The rewrites without the places that are left alone, and refusals of the others."""
        if not self._comments:
            return list(found), ()
        left: list[Found] = []
        refused: list[Finding] = []
        for rule, places in found:
            named = {id(at): self._obstacle(rule.code, at) for at in self._named(rule.code, places)}
            kept = [at for at in places.edits if id(at) not in named]
            left += [(rule, Places(kept) if named else places)] if kept else []
            refused += self._refusals(rule.code, places, named)
        return left, tuple(sorted(set(refused)))

    def _named(self, code: str, places: Places) -> Iterator[At]:
        """The edits that a comment is about; one that answers a finding asks for no harm."""
        for at in places.edits:
            comments = [comment for node in _nodes(at) for comment in self._on(node, code)]
            is_meant = any((comment, code) not in self._answered for comment in comments)
            if comments and (is_meant or code == RECOMPUTE or not self._obstacle(code, at)):
                yield at

    def _on(self, node: ast.AST, code: str) -> list[Suppression]:
        # All edits of one statement share its fate: what one hoists another one puts under a guard.
        return self._at(self._line(node), code)

    def _line(self, node: ast.AST) -> int:
        return self._facts.statement(node).lineno if hasattr(node, "lineno") else 1

    def _obstacle(self, code: str, at: At) -> str:
        """Why an edit can't be left out; empty if it can."""
        if need_of(code).is_needed(self._facts, at):
            return need_of(code).without
        if code == RECOMPUTE:
            return "its changes belong together"
        apart = [str(self._line(node)) for node in _nodes(at) if not self._on(node, code)]
        return f"it is one change with line {', '.join(apart)}" if apart else ""

    def _refusals(self, code: str, places: Places, why: Mapping[int, str]) -> Iterator[Finding]:
        for at in places.edits:
            if why.get(id(at)):
                yield self._refusal(at, code, why[id(at)])

    def _refusal(self, at: At, code: str, why: str) -> Finding:
        (line, column), *_ = positions(self._facts, [at.place])
        message = f"{code} can't be left out here: {why}"
        return Finding(line, column, LEFT_OUT, message, WITHOUT.format(code=code), BLOCKED)

    # -- what was of no use -------------------------------------------------------------------

    def with_suppression_notes(self, seen: Migration, chosen: Iterable[Rewrite]) -> Migration:
        """The migration with what is suppressed, and a note on each comment that does nothing."""
        suppressed = (*self._suppressed, *(_taken(each) for each in self._declared.used))
        if seen.skipped or not (self._comments or self._declared.all):
            return seen._replace(suppressed=suppressed)
        settled = {finding.code for finding in seen.blocked} & set(SETTLED)
        asked = {each.code for each in restrictions.all() if each.is_asked(self._facts.options)}
        asked |= set() if seen.blocked else {rule.code for rule in chosen}
        known = frozenset({r.code for r in restrictions.all()} | {r.code for r in rewrites.all()})
        remarks = [
            *self._remarks(known, frozenset() if settled else frozenset(asked)),
            *self._accepted_in_vain(seen),
            *self._needless(is_asked=not seen.blocked),
        ]
        return seen._replace(suppressed=suppressed, notes=tuple(sorted([*seen.notes, *remarks])))

    def _accepted_in_vain(self, seen: Migration) -> Iterator[Finding]:
        """Comments that take on what is no obligation, or isn't in question in what was judged."""
        was_judged = bool(seen.changing_rules) or any(each.obligation for each in seen.blocked)
        used = {(each.line, each.obligation) for each in seen.taken_on}
        names = obligations.names()
        for comment in self._comments:
            for name in comment.accepts:
                if name not in names:
                    yield _remark(comment, NO_NAME.format(name[:40]), _near(name, names), True)
                elif was_judged and (comment.line, name) not in used:
                    yield _remark(
                        comment, NOT_ASKED.format(name), f"remove it, or move it: {PLACE}", True
                    )

    def _remarks(self, known: frozenset[str], asked: frozenset[str]) -> Iterator[Finding]:
        """Comments that do nothing: `known` are all codes, `asked` those that were looked for."""
        for comment in self._comments:
            if not (comment.codes or comment.accepts):
                yield _remark(comment, "distify doesn't understand this comment", SPELLING)
            for code in comment.codes:
                if code in FIXED:
                    yield _remark(comment, f"{code} can't be suppressed", FIXED[code])
                elif code not in known:
                    yield _remark(comment, *_unknown(code, known))
                elif code in asked and (comment, code) not in self._used:
                    yield _remark(comment, f"{code} is not found here, so nothing is suppressed",
                                  f"remove the comment, or move it: {PLACE}")  # fmt: skip

    def _needless(self, is_asked: bool) -> Iterator[Finding]:
        """What a line declares that nobody knows, or that nothing there asks for."""
        for each in self._declared.all:
            words = f"`{each.says}`"
            if each.says not in DECLARED:
                yield _said(each, f"distify doesn't understand {words}", DECLARING)
            elif is_asked and each not in self._declared.used:
                yield _said(
                    each, f"nothing here asks for {words}", f"remove it, or move it: {PLACE}"
                )


def _said(each: Declaration, message: str, fix: str) -> Finding:
    return Finding(each.line, each.column, CODE, message, fix, NOTE)


def _taken(each: Declaration) -> Suppressed:
    """What a person says of a line, as what they take on them."""
    finding = Finding(each.line, each.column, "J08", TAKEN[each.says], severity=NOTE)
    return Suppressed(finding, each.reason, each.line)


def _comments(text: str) -> tuple[Suppression, ...]:
    if MARK not in text:
        return ()
    from .comments import suppressions  # few texts need a tokenizer to be judged

    return suppressions(text)


def _nodes(at: At) -> tuple[ast.AST, ...]:
    return (at.place, *at.along)


def _remark(comment: Suppression, message: str, fix: str, stands: bool = False) -> Finding:
    return Finding(comment.line, comment.column, CODE, message, fix, NOTE, stands=stands)


def _unknown(code: str, known: Iterable[str]) -> tuple[str, str]:
    if ELSEWHERE.fullmatch(code):
        return f"{code} is told by `distify verify`, which no comment suppresses", "remove it"
    from difflib import get_close_matches  # where something is wrong only

    near = get_close_matches(code, sorted(known), n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else "a report names the codes"
    return f"there is no code {code:.40}, so nothing is suppressed", hint


def _near(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"{hint}these are known: {', '.join(names) or 'none'}"
