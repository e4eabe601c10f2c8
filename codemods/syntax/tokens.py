"""Cuts a text into tokens as Python's tokenizer does, each with the layout that stands before it.

The layout (blank lines, comments, indentation, backslashes) is the token's prefix, so all prefixes
and values in a row are the text. INDENT and DEDENT are empty; a DEDENT carries the comments that
are indented like its block, everything else stands before the first token of the next statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import Pattern

from fissix.pgen2 import token
from fissix.pgen2.grammar import opmap

from ..model import SyntaxProblem
from .line_ends import BOM, LATER_LINES_INDENT, LINE_END, NEWLINE
from .strings import PREFIX, end_of_string

_INDENT = r"[ \t\f]*(?:\\" + NEWLINE + r"[ \t\f]*)*"
_SPACE = re.compile(_INDENT)
_BLANK = re.compile(r"[ \t\f]*")
_LAYOUT = re.compile(_INDENT + r"(?:#[^\r\n]*)?")
_LAYOUT_IN_BRACKETS = re.compile(r"(?:[ \t\f\r\n]+|\\" + NEWLINE + r"|#[^\r\n]*)*")
_BLANK_LINES = re.compile("(?:" + _INDENT + r"(?:#[^\r\n]*)?" + NEWLINE + ")*")
# What is not ASCII may be part of a name. Said the other way round, `re` needs 12 ms to compile it.
_LETTER = r"[^\x00-@\[-^`{-\x7f]"
_LETTER_OR_DIGIT = r"[^\x00-/:-@\[-^`{-\x7f]"
_DIGITS = r"[0-9](?:_?[0-9])*"
_EXPONENT = r"(?:[eE][-+]?" + _DIGITS + ")?"
_TOKEN = re.compile(
    rf"""(?P<string>{PREFIX}['"])|(?P<name>{_LETTER}{_LETTER_OR_DIGIT}*)"""
    r"|(?P<number>0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+"
    rf"|(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS}){_EXPONENT}[jJ]?)"
    r"|(?P<operator>\*\*=|//=|>>=|<<=|\*\*|//|>>|<<|<>|->|:=|[-+*/%&@|^=<>!]=|[-+*/%&@|^=<>~()\[\]{},:;.])"
)
BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_KEYWORD_TOKENS = {"async": token.ASYNC, "await": token.AWAIT}


# type, value, prefix, line (from 1) and column (from 0, in characters)
Token = tuple[int, str, str, int, int]


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text that `ast.parse` accepts; a byte order mark is layout of the first."""
    return _Tokenizer(text).run()


class _Tokenizer:
    """Where we are: `done` is the end of the last token, `at` the end of the layout after it."""

    def __init__(self, text: str) -> None:
        self.text, self.done = text, 0
        self.at = self.line_start = 1 if text.startswith(BOM) else 0
        self.line = 1
        self.indents: list[int] = [0]

    def run(self) -> Iterator[Token]:
        while self.at < len(self.text):
            yield from self._begin_line()
            if self.at < len(self.text):
                yield from self._rest_of_line()
        yield from self._dedents(0)
        yield self._token(token.ENDMARKER, len(self.text), len(self.text))

    def _token(self, kind: int, start: int, end: int) -> Token:
        prefix, self.done, self.at = self.text[self.done : start], end, end
        return kind, self.text[start:end], prefix, self.line, start - self.line_start

    def _count_lines(self, start: int, end: int) -> None:
        for line_end in LINE_END.finditer(self.text, start, end):
            self.line += 1
            self.line_start = line_end.end()

    def _begin_line(self) -> Iterator[Token]:
        begin = end_of(_BLANK_LINES, self.text, self.at)
        start = end_of(_SPACE, self.text, begin)
        if start == len(self.text) or self.text[start] == "#":  # a last line that holds no code
            start = len(self.text)
            width = 0
        else:
            width = indent_width(self.text[begin:start], self.indents[-1])
        self._count_lines(self.at, start)
        self.at = start
        if width > self.indents[-1]:
            self.indents.append(width)
            yield token.INDENT, "", "", self.line, 0
        else:
            yield from self._dedents(width)

    def _dedents(self, width: int) -> Iterator[Token]:
        while width < self.indents[-1]:
            own = self._end_of_comments(self.indents.pop())
            prefix, self.done = self.text[self.done : own], own
            yield token.DEDENT, "", prefix, self.line, self.at - self.line_start

    def _end_of_comments(self, width: int) -> int:
        """Where the comments end that are indented at least as deep as the block that closes."""
        own = start = self.done
        while start < self.at:
            line_end = LINE_END.search(self.text, start, self.at)
            end = line_end.end() if line_end else self.at
            code = end_of(_BLANK, self.text, start)
            if code < self.at and self.text[code] == "#":
                if column(self.text[start:code], 0) < width:
                    break
                own = end
            start = end
        return own

    def _rest_of_line(self) -> Iterator[Token]:
        text, brackets = self.text, 0
        while True:
            start = end_of(_LAYOUT_IN_BRACKETS if brackets else _LAYOUT, text, self.at)
            if text[self.at : start] not in ("", " "):
                self._count_lines(self.at, start)
            found = _TOKEN.match(text, start)
            if found is None:
                yield self._end_of_line(start)
                return
            kind, end = found.lastgroup, found.end()
            value = found[0]
            if kind == "operator":
                brackets += BRACKETS.get(value, 0)
                yield self._token(opmap[value], start, end)
            elif kind == "name":
                yield self._token(_KEYWORD_TOKENS.get(value, token.NAME), start, end)
            elif kind == "number":
                yield self._token(token.NUMBER, start, end)
            else:
                yield self._string(start)

    def _string(self, start: int) -> Token:
        end = end_of_string(self.text, start)
        if end < 0:
            raise self._problem("a string that never ends", start)
        found = self._token(token.STRING, start, end)
        self._count_lines(start, end)
        return found

    def _end_of_line(self, start: int) -> Token:
        line_end = LINE_END.match(self.text, start)
        if line_end is None and start < len(self.text):
            raise self._problem(f"{self.text[start]!r} begins no token", start)
        end = line_end.end() if line_end else start
        found = self._token(token.NEWLINE, start, end)
        self._count_lines(start, end)
        return found

    def _problem(self, message: str, start: int) -> SyntaxProblem:
        return SyntaxProblem(message, self.line, start - self.line_start)


def end_of(pattern: Pattern[str], text: str, start: int) -> int:
    """Where the match of a pattern ends that matches the empty string if nothing else."""
    found = pattern.match(text, start)
    return found.end() if found else start


def indent_width(space: str, around: int) -> int:
    """The column Python gives to what stands after this white space at the beginning of a line.

    Where backslashes continue an indentation, it is what stands before the first of them that is
    not in column 0; Python 3.9 stays in the block around, which is `around` columns deep.
    """
    width = 0
    *continued, last = space.split("\\")
    if continued and not LATER_LINES_INDENT:
        return around
    for part in continued:
        width = column(part, width)
        if width:
            return width
    return column(last, width)


def column(space: str, start: int) -> int:
    """The column after white space that begins in column `start`: tabs go to multiples of eight."""
    for character in space:
        if character == " ":
            start += 1
        elif character == "\t":
            start = start // 8 * 8 + 8
        elif character == "\f":
            start = 0
    return start
