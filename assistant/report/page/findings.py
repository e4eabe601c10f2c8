"""Findings, rules and repairs of a file, each with its line and a way to its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...files.outcome import Outcome
from .. import proved
from ..frame import frame, split
from ..spots import number, words
from ..ways import quoted
from .elements import Html, el, identifier, joined, table
from .sides import sides

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration, Offer, Step, Suppressed


def code(name: str, known: Mapping[str, str]) -> Html:
    """A code, as a link to its page below, where it has one."""
    if name not in known:
        return el("code", name)
    return el("a", el("code", name), href=f"#{identifier('code', name)}", title=known[name])


def findings(
    outcome: Outcome, found: Iterable[Finding], word: str, known: Mapping[str, str]
) -> Iterable[Html]:
    """Each finding with its line, what is said and what to do."""
    lines = split(outcome.migration.before if outcome.migration is not None else "")
    for each in found:
        yield el(
            "div",
            el(
                "p",
                el("b", word),
                " ",
                code(each.code, known),
                f" {words(outcome, ((each.line, 0),))}: ",
                each.title,
            ),
            el("p", each.more) if each.more else None,
            source(lines, each.line, each.column, number(outcome, each.line)),
            el("p", el("b", "would become: "), el("code", each.becomes)) if each.becomes else None,
            el("p", el("b", "fix: "), each.fix) if each.fix else None,
            class_=f"finding {'bad' if word == 'blocked' else 'note'}",
        )


def source(lines: list[str], line: int, column: int, told: int) -> Html | None:
    """The line of a place, told by a number, with a mark below it; None outside of the text."""
    shown = ["".join(span.text for span in each) for each in frame(lines, line, column, "", told)]
    return el("pre", "\n".join(shown)) if shown else None


def suppressed(
    outcome: Outcome, taken: Iterable[Suppressed], known: Mapping[str, str]
) -> Iterable[Html]:
    """What somebody took on them, and why."""
    for each in taken:
        finding = each.finding
        yield el(
            "div",
            el("p", el("b", "suppressed"), " ", code(finding.code, known),
               f" {words(outcome, ((finding.line, 0),))}: ", finding.message),
            el("p", el("b", "reason: "), each.reason or "none is given"),
            class_="finding note",
        )  # fmt: skip


def proofs(outcome: Outcome, known: Mapping[str, str]) -> Iterable[Html]:
    """What is proved of the result and how, on which assumptions, and what isn't."""
    found = proved.of(outcome)
    rows: list[list[Html | str]] = [
        [each.obligation, each.verdict, each.why, "; ".join(each.assumptions)] for each in found
    ]
    if rows:
        heads = ("obligation", "", "how", "assuming")
        yield table(heads, rows, f"What is proved of {outcome.name}")
    for taken in outcome.taken_on:
        finding = taken.finding
        yield el(
            "div",
            el("p", el("b", f"taken on: {taken.obligation}"), " ", code(finding.code, known),
               f" {words(outcome, ((finding.line, 0),))}: ", finding.message),
            el("p", el("b", "reason: "), taken.reason or "none is given"),
            class_="finding note",
        )  # fmt: skip


def repairs(outcome: Outcome, migration: Migration, known: Mapping[str, str]) -> Iterable[Html]:
    """What distify can do about what blocks a file, with the change it would make."""
    for each in migration.repairs:
        yield _repair(outcome, each, migration.before, known)


def _repair(outcome: Outcome, offer: Offer, before: str, known: Mapping[str, str]) -> Html:
    answered = ", ".join(
        f"{each.code} at {words(outcome, ((each.line, 0),))}" for each in offer.answers
    )
    way = f"distify check --repair {offer.code} {quoted(outcome.name)}"
    return el(
        "details",
        el("summary", el("b", "repair "), code(offer.code, known), f" {offer.title}"),
        el("p", "Answers ", answered, ". ", el("code", way))
        if answered
        else el("p", el("code", way)),
        sides(before, offer.text, f"What repair {offer.code} changes in {outcome.name}"),
    )


def steps(outcome: Outcome, migration: Migration, known: Mapping[str, str]) -> Html:
    """Each rule with what it alone changes, in the order in which they are applied."""
    before, told = migration.before, []
    for step in migration.steps:
        told.append(_step(outcome, step, before, known))
        before = step.text
    return joined(told)


def _step(outcome: Outcome, step: Step, before: str, known: Mapping[str, str]) -> Html:
    return el(
        "details",
        el("summary", code(step.code, known), f" {known.get(step.code, '')} ",
           el("span", words(outcome, step.places), class_="dim")),
        sides(before, step.text, f"What {step.code} changes in {outcome.name}"),
    )  # fmt: skip
