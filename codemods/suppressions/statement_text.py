"""The statement in a line, without its layout: what a finding is known by when lines have moved."""

from __future__ import annotations

from collections.abc import Iterator

from fissix.pgen2 import token

from ..syntax.tokens import tokens


def by_line(text: str) -> dict[int, str]:
    """For every line with code the statement that it belongs to, or the head of one with a block.

    The tokens stand with one space between; comments, line ends and indentation are left out. A
    string of several lines is one token. The text must be one that Python parses.
    """
    found: dict[int, str] = {}
    for first, last, said in _statements(text):
        found.update(dict.fromkeys(range(first, last + 1), said))
    return found


def around(text: str, line: int) -> range:
    """The lines of the statement that a line belongs to; the line alone where there is none."""
    for first, last, _ in _statements(text):
        if first <= line <= last:
            return range(first, last + 1)
    return range(line, line + 1)


def _statements(text: str) -> Iterator[tuple[int, int, str]]:
    words: list[str] = []
    first = 0
    for kind, value, _, line, _ in tokens(text):
        if kind == token.NEWLINE and words:
            yield first, line, " ".join(words)
            words = []
        elif value and kind != token.NEWLINE:
            first = first if words else line
            words.append(value)
