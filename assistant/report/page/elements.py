"""Elements of HTML and SVG: whatever is not made here is text, and is escaped as such.

Sources, names of files and what workers printed may hold markup, and signs that turn the reading
direction: they come out as what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Union

from ..escape import safe_lines

VOID = frozenset({"meta", "br", "hr", "link", "col", "wbr"})
# Where a name, a path or code without spaces may go on in the next line: not within a word of it.
_LONG, _SEAM = re.compile(r"\S{16,}"), re.compile(r"(?<=[./\\(\[,=:])(?=\w)")
_PLAIN = frozenset({"title", "desc", "text", "style"})  # they hold text and nothing else
_NAME = re.compile(r"[a-z][a-zA-Z0-9-]*")
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9]+")


class Html(str):
    """A piece of a page: made of elements, and so safe to stand in one."""

    __slots__ = ()


Child = Union[str, int, None]


def text(said: object) -> Html:
    """Text from anywhere as text; ends of lines are written so that none begins with a command.

    (What is printed in GitHub Actions is searched for lines that begin with `::`.)
    """
    return Html(escape(safe_lines(str(said)), quote=True).replace("\n", "&#10;"))


def joined(children: Iterable[Child], between: str = "") -> Html:
    """Pieces one behind the other; what is no piece yet is text, None is nothing."""
    pieces = [
        each if isinstance(each, Html) else text(each) for each in children if each is not None
    ]
    return Html(between.join(pieces))


def el(name: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Html:
    """An element; an attribute that is None or False is left out, one that is True has no value.

    A trailing underscore is cut from names, the others become dashes: `class_`, `aria_label`.
    Raises ValueError for a name that no element has.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(name)
    said = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Html(f"<{name}{said}>")
    if name not in _PLAIN:
        children = tuple(map(_with_seams, children))
    return Html(f"<{name}{said}>{joined(children)}</{name}>")


def _with_seams(child: Child) -> Child:
    """Text with the places where a narrow column may break what is long."""
    if not isinstance(child, str) or isinstance(child, Html) or not _LONG.search(child):
        return child
    seams = {
        found.start() + seam.start()
        for found in _LONG.finditer(child)
        for seam in _SEAM.finditer(found[0])
    }
    ends = [0, *sorted(seams), len(child)]
    return joined((child[start:end] for start, end in zip(ends, ends[1:])), el("wbr"))


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    said = f"{value:g}" if isinstance(value, float) else str(value)
    return f' {name}="{text(said)}"'


def identifier(*words: object) -> str:
    """A name for a place of the page, of letters and dashes alone."""
    return "-".join(_NOT_IN_IDS.sub("-", str(word)).strip("-") or "x" for word in words)


def table(heads: Sequence[str], rows: Iterable[Iterable[Child]], label: str) -> Html:
    """A table, of which a narrow window makes a list: each cell says there what its column is."""
    head = el("tr", *(el("th", each, scope="col") for each in heads))
    body = [
        el("tr", *(el("td", each, data_label=head) for head, each in zip(heads, row)))
        for row in rows
    ]
    whole = el("table", el("thead", head), el("tbody", *body), class_="list")
    return el("div", whole, class_="wide", role="region", aria_label=label, tabindex=0)
