"""What makes one text of another, as edits that a program can carry out: whole lines, in order.

Lines and columns count from 1, an end is behind what goes. Whoever makes the edits from the last to
the first needs to shift nothing.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")  # str.splitlines knows more ends


class Edit(NamedTuple):
    """What stands between two places goes, and the text comes there."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


def lines(text: str) -> list[str]:
    """The lines of a text as Python counts them, each with its end."""
    return _LINE.findall(text)


def edits(before: str, after: str) -> list[Edit]:
    """The edits, first to last; none where the texts are the same."""
    return list(_edits(lines(before), lines(after)))


def _edits(before: list[str], after: list[str]) -> Iterator[Edit]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind != "equal":
            text = "".join(after[new_start:new_end])
            yield Edit(*_place(before, start), *_place(before, end), text)


def _place(before: list[str], index: int) -> tuple[int, int]:
    """Where a line begins; behind the last one, where that ends, if no line end does."""
    if index == len(before) and before and not before[-1].endswith(("\r", "\n")):
        return index, len(before[-1]) + 1
    return index + 1, 1
