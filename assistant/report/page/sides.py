"""Two texts side by side: what goes on the left, what comes on the right, a few lines around."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable

from ..reasons import covered, hunks, lines
from .elements import Html, el


def _unsaid(lines: range) -> str:
    return ""


def sides(before: str, after: str, label: str, why: Callable[[range], str] = _unsaid) -> Html:
    """The differences as a table of two columns; a sentence where there are none.

    `why` says of lines of the old text why they change, in one line above each hunk.
    """
    old, new = lines(before), lines(after)
    groups = hunks(old, new)
    if not groups:
        return el("p", "Nothing changes.", class_="dim")
    bodies = [el("tbody", _why(why(covered(g))), *_group(g, old, new)) for g in groups]
    head = el("tr", *(el("th", word, scope="col", colspan=2) for word in ("before", "after")))
    columns = el("colgroup", *(el("col", class_=each) for each in ("number", None) * 2))
    whole = el("table", columns, el("thead", head), *bodies, class_="sides")
    return el("div", whole, class_="wide", role="region", aria_label=label, tabindex=0)


def _why(said: str) -> Html | None:
    return el("tr", el("th", said, scope="rowgroup", colspan=4), class_="why") if said else None


def _group(
    group: list[tuple[str, int, int, int, int]], old: list[str], new: list[str]
) -> Iterator[Html]:
    for kind, start, end, new_start, new_end in group:
        for row in range(max(end - start, new_end - new_start)):
            left, right = start + row, new_start + row
            if kind == "equal":
                yield _row(_cells(left, old, ""), _cells(right, new, ""), "same")
            else:
                is_gone, is_new = left < end, right < new_end
                yield _row(
                    _cells(left, old, "del") if is_gone else _nothing("old"),
                    _cells(right, new, "ins") if is_new else _nothing("new"),
                    "changed",
                )


def _row(left: tuple[Html, Html], right: tuple[Html, Html], kind: str) -> Html:
    return el("tr", *left, *right, class_=kind)


def _cells(index: int, lines: list[str], mark: str) -> tuple[Html, Html]:
    side = {"del": "old", "ins": "new"}.get(mark, "both")
    code = lines[index]
    number = el("td", index + 1, class_=f"number {side}")
    return number, el("td", el(mark or "span", code), class_=f"code {side}")


def _nothing(side: str) -> tuple[Html, Html]:
    return el("td", class_=f"number {side} none"), el("td", class_=f"code {side} none")
