"""The code frame: the line a finding is about, with a caret under the place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from .escape import safe
from .lines import Line, Span

WIDEST = 100
_LINE_END = re.compile(r"\r\n|\r|\n")  # what ends a line for Python; str.splitlines knows more


def split(text: str) -> list[str]:
    """The lines of a text as Python counts them."""
    return _LINE_END.split(text)


def frame(
    lines: Sequence[str], line: int, column: int, indent: str, shown: int = 0
) -> Iterator[Line]:
    """Two lines of report; none where the place is outside the text.

    `shown` is the number that stands for the line where that is another one.
    """
    if not 0 < line <= len(lines):
        return
    code = lines[line - 1]
    start = max(0, column - WIDEST // 2) if len(code) > WIDEST else 0
    end = start + WIDEST
    before = safe(code[start:column].expandtabs(4))
    after = safe(code[column:end].expandtabs(4))
    if start:
        before = "..." + before
    number = str(shown or line)
    gutter = " " * len(number)
    yield (Span(f"{indent}{number} | ", "dim"), Span(before + after + "..." * (end < len(code))))
    yield (Span(f"{indent}{gutter} | ", "dim"), Span(" " * _cells(before) + "^", "blocked"))


def _cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
