"""New code for cells, written into the JSON text of a notebook where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .layout import Cell, Layout

_SPACE_BEFORE = re.compile(r"[ \t\r\n]*\Z")
_SPACE_BEHIND = re.compile(r"[ \t\r\n]*")
_COLON = re.compile(r'"\s*:(\s?)')
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class New(NamedTuple):
    """A cell that is to stand beside another one."""

    beside: Cell
    is_before: bool
    code: str


def written(layout: Layout, changed: Mapping[int, str], new: Iterable[New]) -> str:
    """The JSON text with other code in some cells, by their numbers, and with new cells."""
    edits = [
        (*cell.source, _source(layout, cell, changed[cell.number]))
        for cell in layout.cells
        if cell.number in changed
    ]
    for number, each in enumerate(new, 1):
        at = each.beside.start if each.is_before else each.beside.end
        edits.append((at, at, _cell(layout, each, number)))
    text = layout.text
    for start, end, value in sorted(edits, reverse=True):
        text = text[:start] + value + text[end:]
    return text


def _source(layout: Layout, cell: Cell, code: str) -> str:
    """What `source` says then; lines that were there before are written as they were."""
    if not cell.is_list:
        return _string(layout, code)
    known = {piece.value: layout.text[piece.start : piece.end] for piece in cell.pieces}
    lines = [known.get(line) or _string(layout, line) for line in _LINE.findall(code)]
    opening, between, closing = _gaps(layout, cell)
    return opening + between.join(lines) + closing


def _gaps(layout: Layout, cell: Cell) -> tuple[str, str, str]:
    """What stands before, between and behind the lines of a cell."""
    text, (start, end) = layout.text, cell.source
    if not cell.pieces:
        like = next((each for each in layout.cells if each.is_list and each.pieces), None)
        return _gaps(layout, like) if like is not None else ("[", ", ", "]")
    first, last = cell.pieces[0], cell.pieces[-1]
    opening, closing = text[start : first.start], text[last.end : end]
    if len(cell.pieces) > 1:
        return opening, text[first.end : cell.pieces[1].start], closing
    return opening, f",{opening[1:] or ' '}", closing


def _string(layout: Layout, value: str) -> str:
    return json.dumps(value, ensure_ascii=layout.text.isascii() and "\\u" in layout.text)


def _cell(layout: Layout, new: New, number: int) -> str:
    """A cell as its neighbour is written, with the comma between the two."""
    text, like = layout.text, new.beside
    space = _SPACE_BEFORE.search(text, 0, like.start)
    gap = space[0] if space else ""
    content: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        **({"id": _name(layout, number)} if like.has_id else {}),
        "metadata": {},
        "outputs": [],
        "source": _LINE.findall(new.code) if like.is_list else new.code,
    }
    made = _dump(layout, like, content, gap)
    return f"{made},{gap}" if new.is_before else f",{gap}{made}"


def _dump(layout: Layout, like: Cell, content: Mapping[str, object], gap: str) -> str:
    text = layout.text
    inner = _SPACE_BEHIND.match(text, like.start + 1)
    within = inner[0] if inner else ""
    is_ascii = text.isascii() and "\\u" in text
    if "\n" not in within:
        colon = _COLON.search(text, like.start)
        space = colon[1] if colon else " "
        return json.dumps(content, ensure_ascii=is_ascii, separators=(f",{space}", f":{space}"))
    step = within.rpartition("\n")[2][len(gap.rpartition("\n")[2]) :]
    lines = json.dumps(content, ensure_ascii=is_ascii, indent=step).split("\n")
    end = "\r\n" if "\r\n" in within else "\n"
    return (end + gap.rpartition("\n")[2]).join(lines)


def _name(layout: Layout, number: int) -> str:
    """An id that no cell has; the same for the same notebook."""
    name = f"distify-{number}"
    while f'"{name}"' in layout.text:
        name += "-new"
    return name
