"""The whole page: head, policy, sections, and the pages of the codes that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from distify import __version__

from ... import codemods
from .. import summary
from ..lines import plural
from ..next_steps import HEADINGS, Next
from . import project
from .elements import Html, el, identifier
from .findings import code
from .proof import codes, proof
from .style import CSS, policy

if TYPE_CHECKING:
    from ..result_report import Report

Section = tuple[str, str, Html]  # where it is, its heading, what it says


def of_project(report: Report, proofs: Sequence[Any]) -> str:
    """The page of a run over files, with what reports of `verify` said. Raises NoProof."""
    known = _titles_of([*_codes_named(report), *(code for said in proofs for code in codes(said))])
    told = "".join(span.text for span in summary.sentence(report.total, report.verb))
    sections: list[Section] = [
        ("trains", "What trains where", project.trains(report, known)),
        ("changes", "What changes", project.changes(report, known)),
        ("obstacles", "What is in the way", project.obstacles(report, known)),
    ]
    if proofs:
        sections.append(("proof", "What verify said", _proofs(proofs, known)))
    head = [_tiles(report.total), el("p", told), *(el("p", line) for line in report.targets)]
    head += [_next(report.next)] if report.next else []
    return _page(f"distify {report.command}", head, sections, known)


def of_proof(said: Any) -> str:
    """The page of one run of `verify`, from its report for programs. Raises NoProof."""
    known = _titles_of(codes(said))
    sections: list[Section] = [("proof", "What verify said", _proofs([said], known))]
    return _page("distify verify", [], sections, known)


def of_race(said: Any) -> str:
    """The page of one run of `distify race`, from its report for programs."""
    known = _titles_of(str(each["code"]) for each in (*said["faults"], *said["meant"]))
    return _page("distify race", [], [("race", "Orders left to chance", race(said, known))], known)


def _proofs(proofs: Sequence[Any], known: Mapping[str, str]) -> Html:
    return el("div", *(proof(said, known) for said in proofs))


def _codes_named(report: Report) -> Iterator[str]:
    """Every code that a run names, in the order in which they are met."""
    for outcome in report.result.outcomes:
        migration = outcome.migration
        if migration is not None:
            yield from (due.code for due in migration.changing_rules)
            yield from (each.code for each in (*migration.blocked, *migration.notes))
            yield from (each.finding.code for each in migration.suppressed)
            yield from (each.code for each in migration.repairs)


def _titles_of(named: Iterable[str]) -> dict[str, str]:
    """What each of these codes is called, if it has a page."""
    titles, wanted = codemods.titles(), set(named)
    return {code: title for code, title in titles.items() if code in wanted}


def _tiles(total: summary.Totals) -> Html:
    counts = {
        "searched": total.searched,
        "changed": total.changed,
        "blocked": total.blocked,
        "left alone": sum(count for _, count in total.skipped),
        "errors": total.errors,
    }
    tiles = (el("li", el("b", count), f" {word}") for word, count in counts.items())
    return el("ul", *tiles, class_="tiles", aria_label="Files")


def _next(found: Sequence[Next]) -> Html:
    """What to do next, in order, as on the terminal."""
    items = (
        el("li", f"{HEADINGS[each.purpose]} ", el("code", each.command),
           el("span", f" {each.remark}", class_="dim") if each.remark else None)
        for each in found
    )  # fmt: skip
    return el("section", el("h2", "What to do next", id="next"), el("ol", *items))


def _codes(known: Mapping[str, str]) -> Html:
    return el("div", *(_page_of(code, title) for code, title in known.items()))


def _page_of(code: str, title: str) -> Html:
    page = codemods.page(code).partition("\n")[2].strip("\n")
    return el(
        "details",
        el("summary", el("code", code), f" {title}"),
        el("pre", page),
        id=identifier("code", code),
        class_="pages",
    )


def _page(
    title: str, head: Sequence[Html], sections: list[Section], known: Mapping[str, str]
) -> str:
    if known:
        sections = [*sections, ("codes", "The codes named here", _codes(known))]
    links = [el("li", el("a", heading, href=f"#{place}")) for place, heading, _ in sections]
    body = [el("section", el("h2", heading, id=place), said) for place, heading, said in sections]
    return (
        "<!DOCTYPE html>\n"
        + el(
            "html",
            el(
                "head",
                el("meta", charset="utf-8"),
                el("meta", http_equiv="Content-Security-Policy", content=policy()),
                el("meta", name="viewport", content="width=device-width, initial-scale=1"),
                el("meta", name="referrer", content="no-referrer"),
                el("title", title),
                el("style", Html(CSS)),
            ),
            el(
                "body",
                el("a", "To the report", href="#report", class_="skip"),
                el("header", el("h1", title), el("p", f"distify {__version__}", class_="dim")),
                el("nav", el("ul", *links), aria_label="Sections"),
                el("main", *head, *body, id="report", tabindex=-1),
            ),
            lang="en",
        )
        + "\n"
    )


# -- what `distify race` said --------------------------------------------------------------------

KINDS = {"no race": "good", "races": "bad"}


def race(said: Any, known: Mapping[str, str]) -> Html:
    """One report as a section."""
    about = f"{plural(said['graphs'], 'graph')}, {said['operations']:,} operations"
    return el(
        "section",
        el("h3", f"{said['script']}: ",
           el("span", str(said["verdict"]).upper(), class_=KINDS.get(said["verdict"], "note"))),
        el("p", f"{about}, TensorFlow {said['tensorflow']}, {said['seconds']:.0f} s", class_="dim"),
        *(_fault(each, known) for each in said["faults"]),
        *_listing("Meant", (f"{e['comment']}: {e['text']} ({e['why']})" for e in said["meant"])),
        *_listing("Could not be modelled", said["unmodelled"]),
        *_listing("Worth knowing", said["notes"]),
        *_listing("On condition that", said["assumed"]),
    )  # fmt: skip


def _fault(each: Any, known: Mapping[str, str]) -> Html:
    return el(
        "div",
        el("p", code(str(each["code"]), known), " ", el("b", _place(each["where"])), each["title"]),
        el("p", each["text"]),
        el("ol", *(el("li", *_step(step)) for step in each["path"])),
        el("p", el("b", "fix: "), each["fix"]) if each["fix"] else None,
        class_="finding bad",
    )


def _step(step: Any) -> Iterator[Html | str]:
    yield el("code", step["line"])
    yield f" {_place(step['where'])}{step['what']}"


def _place(where: Any) -> str:
    return f"{where['path']}:{where['line']}: " if where else ""


def _listing(heading: str, entries: Iterable[str]) -> Iterator[Html]:
    items = [el("li", each) for each in entries]
    if items:
        yield el("h4", heading)
        yield el("ul", *items)
