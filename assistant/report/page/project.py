"""What a page says of a project: what trains where, what changes, what is in the way."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ... import codemods
from ...files.outcome import Outcome
from ...files.projects import path_of
from .. import summary
from ..reasons import reason
from ..spots import words
from .elements import Html, el, identifier, joined, table
from .findings import code, findings, proofs, repairs, steps, suppressed
from .sides import sides

if TYPE_CHECKING:
    from ..result_report import Report

Codes = Mapping[str, str]
HEADS = ("file", "trains with", "where", "what becomes of it", "rules and findings")


def trains(report: Report, known: Codes) -> Html:
    """A row for each file: how it trains, where, and what becomes of it."""
    rows = [_row(each, report.verb, known) for each in report.result.outcomes]
    if not rows:
        return el("p", "No file trains with TensorFlow or Keras.")
    return table(HEADS, rows, "What trains where")


def _row(outcome: Outcome, verb: str, known: Codes) -> list[Html | str]:
    migration = outcome.migration
    found: dict[str, list[tuple[int, int]]] = {}
    for each in migration.evidence if migration else ():
        found.setdefault(each.what, []).append((each.line, each.column))
    where = (
        joined((el("code", what), f" at {words(outcome, tuple(at))}")) for what, at in found.items()
    )
    codes = [due.code for due in migration.changing_rules] if migration and outcome.changed else []
    codes += [each.code for each in migration.blocked] if migration else []
    name = outcome.name
    is_told = outcome.changed or outcome.blocked or outcome.problem
    return [
        el("a", name, href=f"#{_id(outcome)}") if is_told else el("span", name),
        migration.pattern if migration and migration.evidence else "",
        joined(where, "; "),
        state(outcome, verb),
        joined((code(each, known) for each in dict.fromkeys(codes)), " "),
    ]


def _id(outcome: Outcome) -> str:
    """Where a file is told; two names may differ by signs alone that no place can have."""
    return identifier("file", outcome.name, format(_hash(outcome.name), "x"))


def _hash(name: str) -> int:
    """A number for a name, the same in every run."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def state(outcome: Outcome, verb: str) -> Html:
    """What became of a file, in the words of the terminal."""
    if outcome.problem:
        return el("span", f"error: {outcome.problem.message}", class_="bad")
    if outcome.left_out:
        return el("span", f"{verb}, {summary.unsound(outcome)}", class_="bad")
    if outcome.changed:
        return el("span", verb, class_="good")
    if outcome.blocked:
        return el("span", "blocked, left as it was", class_="bad")
    return el("span", f"left as it was: {summary.skipped(outcome)}", class_="dim")


def changes(report: Report, known: Codes) -> Html:
    """What changes, by entry: a script with the modules that change only with it."""
    changed = [each for each in report.result.outcomes if each.changed]
    if not changed:
        return el("p", "Nothing changes.")
    return joined(_entry(head, others, known) for head, others in _entries(changed))


def _entries(changed: Sequence[Outcome]) -> Iterator[tuple[Outcome, list[Outcome]]]:
    """Each entry with the changed files that go with it; each file once, at its first entry."""
    by_path = {os.path.realpath(each.target.path): each for each in changed}
    led = {path for each in changed for path in _others(each)}
    told: set[str] = set()
    for each in sorted(changed, key=lambda each: os.path.realpath(each.target.path) in led):
        path = os.path.realpath(each.target.path)
        if path not in told:
            with_it = [p for p in _others(each) if p in by_path and p not in told and p != path]
            told.update({path, *with_it})
            yield each, [by_path[p] for p in with_it]


def _others(outcome: Outcome) -> list[str]:
    migration = outcome.migration
    others = migration.others if migration else ()
    return [os.path.realpath(path_of(outcome.target.path, each.path)) for each in others]


def _entry(entry: Outcome, others: Sequence[Outcome], known: Codes) -> Html:
    with_it = f", with {', '.join(each.name for each in others)}" if others else ""
    files = [_change_section(each, known) for each in (entry, *others)]
    return el("section", el("h3", f"{entry.name}{with_it}"), *files)


def _change_section(outcome: Outcome, known: Codes) -> Html:
    migration = outcome.migration
    assert migration is not None
    rules = {rule.code: rule for rule in codemods.changes()}
    return el(
        "div",
        el("h4", outcome.name),
        el("p", summary.unsound(outcome), class_="bad") if outcome.left_out else None,
        sides(
            migration.before,
            migration.after,
            f"What changes in {outcome.name}",
            lambda lines: reason(outcome, lines, rules),
        ),
        el("p", "By rule, in the order in which they are applied:", class_="dim"),
        steps(outcome, migration, known),
        *findings(outcome, migration.notes, "note", known),
        *suppressed(outcome, migration.suppressed, known),
        *proofs(outcome, known),
        id=_id(outcome),
    )


def obstacles(report: Report, known: Codes) -> Html:
    """What is in the way: what blocks files with the repairs there are, and what can't be read."""
    told = [_refusal_section(each, known) for each in report.result.outcomes if each.blocked]
    told += [_problem(each) for each in report.result.outcomes if each.problem]
    told += [
        el("p", el("b", each.name), ": ", el("span", each.message, class_="bad"))
        for each in report.result.problems
    ]
    return joined(told) if told else el("p", "Nothing is in the way.")


def _refusal_section(outcome: Outcome, known: Codes) -> Html:
    migration = outcome.migration
    assert migration is not None
    offers: Iterable[Html] = repairs(outcome, migration, known)
    return el(
        "section",
        el("h3", outcome.name),
        *findings(outcome, migration.blocked, "blocked", known),
        *offers,
        *findings(outcome, migration.notes, "note", known),
        *suppressed(outcome, migration.suppressed, known),
        id=_id(outcome),
    )


def _problem(outcome: Outcome) -> Html:
    problem = outcome.problem
    assert problem is not None
    cell = f", cell {problem.cell}" if problem.cell else ""
    place = f"{cell}, line {problem.line}" if problem.line else ""
    told = el("span", problem.message, class_="bad")
    return el("p", el("b", f"{outcome.name}{place}"), ": ", told, id=_id(outcome))
