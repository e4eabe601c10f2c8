"""Why a line of a file is as it is, or becomes what it becomes: the rules, and what is proved."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .. import codemods
from ..files import projects
from ..files.outcome import Outcome
from . import proved
from .frame import frame, split
from .lines import EMPTY, Line, Span, wrapped

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration, Options

INDENT = "  "
STAYS = "no rule changes this line"
WRITTEN = "this file is Horovod's already; on one worker it would be rewritten so by"
OPEN = "nothing of this file is written: {} is in the way at line {}"


def explained(
    outcomes: Sequence[Outcome], path: str, line: int, options: Options, width: int | None
) -> Iterator[Line]:
    """What is to be said of a line of the file at a path, of which these are the outcomes.

    Raises SyntaxProblem.
    """
    outcome = next((each for each in outcomes if each.target.path == path), None)
    text = outcome.source.text if outcome and outcome.source else projects.text_of(path) or ""
    lines = split(text)
    yield from frame(lines, line, len(lines[line - 1]) - len(lines[line - 1].lstrip()), "")
    span = codemods.statement(text, line)
    migration = outcome.migration if outcome is not None else None
    rules = {rule.code: rule for rule in codemods.changes()}
    due = [d for d in (migration.changing_rules if migration else ()) if _meets(d.places, span)]
    for each in due:
        head = (Span(INDENT), Span(each.code, "code"), Span(f" {rules[each.code].name}: "))
        yield from wrapped(head, rules[each.code].summary, width)
    if migration is not None and due:
        yield from _becomes(text, migration.after, span)
    elif "horovod" in text:
        yield from _by(text, line, options, width)
    else:
        yield (Span(f"{INDENT}{STAYS}", "dim"),)
    if migration is not None:
        yield from _findings_at(migration, span, width)
    yield from _proofs_at(outcomes, path, span, width)


def _meets(places: Iterable[tuple[int, int]], span: range) -> bool:
    return any(line in span for line, _ in places)


def _becomes(before: str, after: str, span: range) -> Iterator[Line]:
    """The lines of the result in the place of those of a statement."""
    old, new = split(before), split(after)
    opcodes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    shown = [
        text
        for tag, i1, i2, j1, j2 in opcodes
        if tag != "equal" and (set(range(i1 + 1, max(i2, i1 + 1) + 1)) & set(span))
        for text in new[j1:j2]
    ]
    yield (Span(f"{INDENT}becomes", "heading"),) if shown else EMPTY
    yield from ((Span(f"{INDENT * 2}{text}", "added"),) for text in shown)


def _by(text: str, line: int, options: Options, width: int | None) -> Iterator[Line]:
    """The rules that write what stands in a line of a program that is Horovod's already."""
    codes = codemods.written_by(text, line, options)
    if not codes:
        yield (Span(f"{INDENT}{STAYS}", "dim"),)
        return
    rules = {rule.code: rule for rule in codemods.changes()}
    yield (Span(f"{INDENT}{WRITTEN}"),)
    for code in codes:
        head = (Span(INDENT * 2), Span(code, "code"), Span(f" {rules[code].name}: "))
        yield from wrapped(head, rules[code].summary, width)


def _findings_at(migration: Migration, span: range, width: int | None) -> Iterator[Line]:
    """What is in the way there, what is noted, and what somebody takes on them."""
    taken = [each.finding for each in migration.taken_on]
    for word, found in (
        ("blocked", migration.blocked), ("taken on", taken), ("note", migration.notes)
    ):  # fmt: skip
        for finding in found:
            if finding.line in span:
                yield from _finding(word, finding, width)
    elsewhere = [each for each in migration.blocked if each.line not in span]
    for each in elsewhere[:1]:
        yield from wrapped((Span(INDENT),), OPEN.format(each.code, each.line), width, "note")


def _finding(word: str, finding: Finding, width: int | None) -> Iterator[Line]:
    name = f" ({finding.obligation})" if finding.obligation else ""
    head = (
        Span(INDENT),
        Span(word, "note"),
        Span(" "),
        Span(finding.code, "code"),
        Span(f"{name}: "),
    )
    yield from wrapped(head, finding.message, width)
    for label, text in (("would become", finding.becomes), ("fix", finding.fix)):
        if text:
            yield from wrapped((Span(f"{INDENT * 2}{label}: ", "dim"),), text, width)


def _proofs_at(
    outcomes: Sequence[Outcome], path: str, span: range, width: int | None
) -> Iterator[Line]:
    """What the judge says of each program that the line is a part of."""
    for outcome in outcomes:
        migration = outcome.migration
        if migration is None or path not in _files(outcome):
            continue
        proofs = migration.proofs
        if proved.proved(proofs):
            of = "" if outcome.target.path == path else f" of {outcome.name}"
            head = (Span(INDENT), Span(f"proved{of}", "changed"), Span(": "))
            yield from wrapped(head, proved.sentence(proofs), width)
            for each in proofs:
                if each.holds:
                    yield from wrapped((Span(f"{INDENT * 2}{each.obligation}: "),), each.why, width)


def _files(outcome: Outcome) -> set[str]:
    """The files of a program."""
    own, migration = outcome.target.path, outcome.migration
    assert migration is not None
    names = (*migration.modules, *(other.path for other in migration.others))
    return {own, *(os.path.realpath(projects.path_of(own, name)) for name in names)}
