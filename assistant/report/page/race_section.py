"""What `distify race` said of a program, made from its report for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..lines import plural
from .elements import Html, el
from .findings import code

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
        *_listed("Meant", (f"{e['comment']}: {e['text']} ({e['why']})" for e in said["meant"])),
        *_listed("Could not be modelled", said["unmodelled"]),
        *_listed("Worth knowing", said["notes"]),
        *_listed("On condition that", said["assumed"]),
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


def _listed(heading: str, entries: Iterable[str]) -> Iterator[Html]:
    items = [el("li", each) for each in entries]
    if items:
        yield el("h4", heading)
        yield el("ul", *items)
