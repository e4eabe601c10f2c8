"""What a person reads: per file what was found, what changes by rule, what is left and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from ..files import levels
from ..files.outcome import Outcome
from ..files.reader import Problem
from . import proved, summary
from .causes import Shared
from .frame import frame, split
from .lines import EMPTY, Line, Span, wrapped
from .spots import jump, mark, number, words
from .ways import quoted

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration, Suppressed

INDENT = "  "


class Style(NamedTuple):
    """How much is told, and in which words."""

    verb: str = summary.WRITTEN
    width: int | None = None
    verbose: bool = False


def files(outcomes: list[Outcome], names: Mapping[str, str], style: Style) -> Iterator[Line]:
    """One paragraph per file that has something to say."""
    shared = Shared(outcomes)
    for outcome in outcomes:
        if outcome.problem is None and (_tells(outcome) or style.verbose):
            yield from _file(outcome, names, style, shared)
            yield EMPTY


def _tells(outcome: Outcome) -> bool:
    noted = outcome.migration is not None and bool(outcome.migration.notes)
    return outcome.changed or outcome.blocked or noted or outcome.target.named


def _file(
    outcome: Outcome, names: Mapping[str, str], style: Style, shared: Shared
) -> Iterator[Line]:
    yield (Span(outcome.name, "name"), Span("  "), _state(outcome, style.verb))
    migration = outcome.migration
    if migration is None or outcome.source is None:
        return
    yield from _pattern(outcome, migration, style)
    if outcome.changed:
        yield from _changes(outcome, migration, names)
    yield from _refusal_lines(outcome, migration, style, shared)
    yield from _repairs(outcome, migration, style)
    # While a file is blocked, what hangs on its migration can wait.
    waits = outcome.blocked and not style.verbose
    notes = [note for note in migration.notes if note.stands or not waits]
    for word in (levels.WARNING, levels.NOTE):
        yield from _findings(outcome, [n for n in notes if n.severity == word], word, style)
    yield from _suppression_lines(outcome, migration, style)
    yield from proved.lines(outcome, style.width, style.verbose)


def _refusal_lines(
    outcome: Outcome, migration: Migration, style: Style, shared: Shared
) -> Iterator[Line]:
    """What keeps a file back; what keeps several back is told of one of them."""
    own: list[Finding] = []
    others: dict[str, None] = {}
    for finding in migration.blocked:
        elsewhere = "" if style.verbose else shared.elsewhere(outcome, finding)
        if elsewhere:
            yield from wrapped(_head(outcome, finding, "blocked"), elsewhere, style.width)
        else:
            own.append(finding)
            others.update(dict.fromkeys(shared.others(outcome, finding)))
    yield from _findings(outcome, own, "blocked", style)
    if others:
        yield from wrapped((Span(f"{INDENT * 2}keeps back: "),), ", ".join(others), style.width)


def _findings(
    outcome: Outcome, found: Iterable[Finding], word: str, style: Style
) -> Iterator[Line]:
    """Each finding; what is said of several lines in the same words is said once."""
    alike: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in found:
        alike.setdefault((finding.code, finding.message, finding.fix), []).append(finding)
    for first, *others in alike.values():
        yield from _finding(outcome, first, word, style)
        if others:
            where = words(outcome, tuple((each.line, each.column) for each in others))
            yield from wrapped((Span(f"{INDENT * 2}also at "),), where, style.width)


def _state(outcome: Outcome, verb: str) -> Span:
    more = f", {summary.suppressed(outcome)}" if outcome.suppressed else ""
    more += f", {proved.taken_on(outcome)}" if outcome.taken_on else ""
    if outcome.left_out:
        return Span(f"{verb}, unsound: {', '.join(outcome.left_out)} left out{more}", "blocked")
    if outcome.changed:
        return Span(f"{verb}{more}", "note" if more else "changed")
    if outcome.blocked:
        counts = [
            f"; {code} counts as a {level}" for code, level in levels.lowered(outcome).items()
        ]
        return Span("blocked, left as it was" + "".join(counts), "blocked")
    return Span(f"left as it was: {summary.skipped(outcome)}", "dim")


def _pattern(outcome: Outcome, migration: Migration, style: Style) -> Iterator[Line]:
    """`trains with Keras: model.fit at lines 6 and 20`."""
    found: dict[str, list[tuple[int, int]]] = {}
    for each in migration.evidence:
        found.setdefault(each.what, []).append((each.line, each.column))
    what = ", ".join(f"{what} at {words(outcome, tuple(where))}" for what, where in found.items())
    if what:
        first = (Span(f"{INDENT}trains with "), Span(migration.pattern, "heading"), Span(": "))
        yield from wrapped(first, what, style.width)


def _changes(outcome: Outcome, migration: Migration, names: Mapping[str, str]) -> Iterator[Line]:
    width = max(len(names.get(step.code, "")) for step in migration.changing_rules)
    wide = max(len(step.code) for step in migration.changing_rules)
    for step in migration.changing_rules:
        yield (
            Span(INDENT),
            Span(f"{step.code:{wide}}", "code"),
            Span(f"  {names.get(step.code, ''):{width}}"),
            Span(f"  {words(outcome, step.places)}", "place"),
        )


def _finding(outcome: Outcome, finding: Finding, word: str, style: Style) -> Iterator[Line]:
    yield from said(_head(outcome, finding, word), finding, INDENT * 2, style.width)
    yield from code_frame(outcome, finding, INDENT * 2)
    if finding.becomes:
        yield from wrapped(
            (Span(f"{INDENT * 2}would become: ", "dim"),), finding.becomes, style.width
        )
    if finding.fix:
        yield from wrapped((Span(f"{INDENT * 2}fix: ", "changed"),), finding.fix, style.width)


def _head(outcome: Outcome, finding: Finding, word: str) -> Line:
    """`blocked T07 line 3: `, before what is the matter there."""
    place = Span(words(outcome, ((finding.line, finding.column),)), "place")
    code = (Span(finding.code, "code"), Span(" ")) if finding.code else ()
    return (Span(INDENT), Span(word, word), Span(" "), *code, place, Span(": "))


def said(first: Sequence[Span], finding: Finding, indent: str, width: int | None) -> Iterator[Line]:
    """What is wrong, in a line, and below it why."""
    yield from wrapped(tuple(first), finding.title, width)
    if finding.more:
        yield from wrapped((Span(indent),), finding.more, width)


def code_frame(outcome: Outcome, finding: Finding, indent: str) -> Iterator[Line]:
    """The line of a finding, numbered as it is told."""
    lines = split(outcome.source.text) if outcome.source is not None else []
    shown = number(outcome, finding.line)
    yield from frame(lines, finding.line, finding.column, indent, shown)


def _repairs(outcome: Outcome, migration: Migration, style: Style) -> Iterator[Line]:
    """What distify can do about it, and how a person asks what would still be in the way."""
    for offer in migration.repairs:
        first = (Span(INDENT), Span("repair ", "changed"), Span(offer.code, "code"), Span(" "))
        way = f"{offer.title} `distify check --repair {offer.code} {quoted(outcome.name)}`"
        yield from wrapped(first, way, style.width)


def _suppression_lines(outcome: Outcome, migration: Migration, style: Style) -> Iterator[Line]:
    """What somebody took on them: what would have blocked always, the rest to who wants to know."""
    for each in migration.suppressed:
        if each.blocks or style.verbose:
            place = Span(words(outcome, ((each.finding.line, 0),)), "place")
            code = Span(each.finding.code, "code")
            first = (Span(INDENT), Span("suppressed", "note"), Span(" "), code, Span(" "), place)
            yield from wrapped((*first, Span(": ")), each.finding.message, style.width)
            reason = (Span(f"{INDENT * 2}reason: ", "dim"),)
            yield from wrapped(reason, _reason(each), style.width)


def _reason(each: Suppressed) -> str:
    return each.reason or "none is given; write it behind the bracket of the comment"


def warning_line(problem: Problem) -> Line:
    """`.gitignore: warning: is a pipe, not a file; it was not read`."""
    return (
        Span(problem.name, "name"),
        Span(": "),
        Span("warning: ", "note"),
        Span(problem.message),
    )


def problem_line(problem: Problem) -> Line:
    """`train.py:3:5: error: can't be parsed: invalid syntax`; editors can jump there."""
    place = mark(problem.cell, problem.line) if problem.line else ""
    place += f":{problem.column}" if problem.line and problem.column else ""
    return (
        Span(problem.name, "name"),
        Span(f"{place}: "),
        Span("error: ", "blocked"),
        Span(problem.message),
    )


def short_lines(outcomes: list[Outcome]) -> Iterator[Line]:
    """One line per blocking finding, for `--quiet`: silence means done, and done right."""
    for outcome in outcomes:
        if outcome.left_out:
            yield (Span(outcome.name, "name"), Span(f": {summary.unsound(outcome)}", "blocked"))
        if outcome.suppressed:
            yield (Span(outcome.name, "name"), Span(f": {summary.suppressed(outcome)}", "note"))
        if outcome.taken_on:
            yield (Span(outcome.name, "name"), Span(f": {proved.taken_on(outcome)}", "note"))
        if outcome.blocked and outcome.migration:
            for finding in outcome.migration.blocked:
                place = f"{jump(outcome, finding.line)}:{finding.column + 1}: "
                code = f"{finding.code} " if finding.code else ""
                message = " ".join(finding.message.split())
                yield (Span(outcome.name, "name"), Span(f"{place}{code}{message}"))
