"""Findings, rules and repairs of a file, each with its line and a way to its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..frame import frame, split
from ..lines import places
from .elements import Html, el, identifier, joined
from .sides import sides

if TYPE_CHECKING:
    from distify.codemods.model import Finding, Migration, Offer, Step, Suppressed


def code(name: str, known: Mapping[str, str]) -> Html:
    """A code, as a link to its page below, where it has one."""
    if name not in known:
        return el("code", name)
    return el("a", el("code", name), href=f"#{identifier('code', name)}", title=known[name])


def findings(
    found: Iterable[Finding], word: str, text: str, known: Mapping[str, str]
) -> Iterable[Html]:
    """Each finding with its line, what is said and what to do."""
    lines = split(text)
    for each in found:
        yield el(
            "div",
            el(
                "p",
                el("b", word),
                " ",
                code(each.code, known),
                f" line {each.line}: ",
                each.message,
            ),
            source(lines, each.line, each.column),
            el("p", el("b", "fix: "), each.fix) if each.fix else None,
            class_=f"finding {'bad' if word == 'blocked' else 'note'}",
        )


def source(lines: list[str], line: int, column: int) -> Html | None:
    """The line of a place with a mark below it; None outside of the text."""
    shown = ["".join(span.text for span in each) for each in frame(lines, line, column, "")]
    return el("pre", "\n".join(shown)) if shown else None


def suppressed(taken: Iterable[Suppressed], known: Mapping[str, str]) -> Iterable[Html]:
    """What somebody took on them, and why."""
    for each in taken:
        finding = each.finding
        yield el(
            "div",
            el("p", el("b", "suppressed"), " ", code(finding.code, known),
               f" line {finding.line}: ", finding.message),
            el("p", el("b", "reason: "), each.reason or "none is given"),
            class_="finding note",
        )  # fmt: skip


def repairs(migration: Migration, name: str, known: Mapping[str, str]) -> Iterable[Html]:
    """What distify can do about what blocks a file, with the change it would make."""
    for each in migration.repairs:
        yield _repair(each, migration.before, name, known)


def _repair(offer: Offer, before: str, name: str, known: Mapping[str, str]) -> Html:
    answered = ", ".join(f"{each.code} at line {each.line}" for each in offer.answers)
    way = f"distify migrate --repair {offer.code}"
    return el(
        "details",
        el("summary", el("b", "repair "), code(offer.code, known), f" {offer.title}"),
        el("p", "Answers ", answered, ". ", el("code", way))
        if answered
        else el("p", el("code", way)),
        sides(before, offer.text, f"What repair {offer.code} changes in {name}"),
    )


def steps(migration: Migration, name: str, known: Mapping[str, str]) -> Html:
    """Each rule with what it alone changes, in the order in which they are applied."""
    before, told = migration.before, []
    for step in migration.steps:
        told.append(_step(step, before, name, known))
        before = step.text
    return joined(told)


def _step(step: Step, before: str, name: str, known: Mapping[str, str]) -> Html:
    return el(
        "details",
        el("summary", code(step.code, known), f" {known.get(step.code, '')} ",
           el("span", places(step.places), class_="dim")),
        sides(before, step.text, f"What {step.code} changes in {name}"),
    )  # fmt: skip
