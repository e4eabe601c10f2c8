"""The comments with which a program answers for findings: `# distify: ignore[T07] reason`.

`# distify: accept[size] reason` takes on what the judge can't prove of a result. They are read from
the text alone; what a string holds is no comment.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from fissix.pgen2 import token

from ..syntax.line_ends import BOM, LINE_END
from ..syntax.tokens import tokens

LONGEST = 300  # characters of a reason, which stands in reports and commits
_COMMENT = re.compile(r"#[^\r\n]*")
_MARK = re.compile(r"(?:^|(?<=\s))#\s*distify:\s*")
_IGNORE = re.compile(r"(?P<what>ignore|accept)\[(?P<names>[^\]]*)\](?P<reason>.*)")
_OTHER = re.compile(r"\s+#\s.*")  # a comment for another tool in the same one; `#12` is an issue
# What a person says of a line, which is read apart: `declarations`.
_DECLARES = re.compile(r"(?:rows|rate|race)\s*=")
_SKIP_FILE = re.compile(r"#\s*distify:\s*skip-file\b")


class Suppression(NamedTuple):
    """One comment: codes in capitals, or obligations, and the lines that it speaks of.

    Neither codes nor obligations: it isn't understood.
    """

    line: int
    column: int
    codes: tuple[str, ...]
    reason: str
    lines: range
    accepts: tuple[str, ...] = ()


class Address(NamedTuple):
    """What a comment says to distify, and the lines that it speaks of."""

    line: int
    column: int
    says: str
    lines: range


def suppressions(text: str) -> tuple[Suppression, ...]:
    """Every comment that answers for findings, understood or not, of a text that Python parses."""
    said = (each for each in addressed(text) if not _DECLARES.match(each.says))
    return tuple(_read(each) for each in said)


def addressed(text: str) -> Iterator[Address]:
    """Every comment that speaks to distify, of a text that Python parses."""
    for line, column, comment, lines in _Lines(text).comments():
        if _SKIP_FILE.match(comment):
            continue
        marks = [*_MARK.finditer(comment)]
        ends = [*(mark.start() for mark in marks[1:]), len(comment)]
        for mark, end in zip(marks, ends):
            says = comment[mark.end() : end].rstrip()
            yield Address(line, column + mark.start(), says, lines)


def reason_of(text: str) -> str:
    """What a comment says behind its codes, without a comment for another tool in the same one."""
    return _OTHER.sub("", text).strip(" \t\f:-\u2013\u2014")[:LONGEST]


def _read(address: Address) -> Suppression:
    says = _IGNORE.match(address.says)
    named = [name.strip() for name in says["names"].split(",")] if says else []
    names = tuple(dict.fromkeys(name for name in named if name))
    is_about = says["what"] if says else ""
    codes = tuple(dict.fromkeys(map(str.upper, names))) if is_about == "ignore" else ()
    accepts = tuple(map(str.lower, names)) if is_about == "accept" else ()
    reason = reason_of(says["reason"]) if says else ""
    return Suppression(address.line, address.column, codes, reason, address.lines, accepts)


class _Lines:
    """The comments of a text, each with the lines of the statement at whose start or end it is."""

    def __init__(self, text: str) -> None:
        self._bom = len(BOM) if text.startswith(BOM) else 0
        self._starts = [0, *(found.end() for found in LINE_END.finditer(text))]
        self._comments: list[tuple[int, str]] = []
        self._about: dict[int, range] = {}  # first and last lines of statements and heads of blocks
        self._scan(text)

    def comments(self) -> Iterator[tuple[int, int, str, range]]:
        """Line, column, comment, and the lines that it is about."""
        for offset, comment in self._comments:
            line = self._line(offset)
            column = offset - self._starts[line - 1] - (self._bom if line == 1 else 0)
            yield line, column, comment, self._about.get(line, range(line, line + 1))

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def _scan(self, text: str) -> None:
        at, first = 0, 0
        for kind, value, prefix, *_ in tokens(text):
            self._comments += [(at + c.start(), c[0]) for c in _COMMENT.finditer(prefix)]
            at += len(prefix)
            line = self._line(at)
            if kind == token.NEWLINE:
                self._about[first] = self._about[line] = range(first, line + 1)
                first = 0
            elif value:
                first = first or line
            at += len(value)
