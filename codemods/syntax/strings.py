"""Where a string literal ends: the plain ones by one expression, f-strings as Python reads them.

Since Python 3.12 (PEP 701) the fields of an f-string hold any expression, with comments, line ends
and the f-string's own quote; before that an f-string ends where a plain string would.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

_BODY = r"""'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|\"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"\"\"
    |'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
PREFIX = r"(?:[bB][rR]?|[rR][bBfF]?|[fF][rR]?|[uU])?"
PLAIN = re.compile(PREFIX + "(?:" + _BODY + ")", re.DOTALL | re.VERBOSE)
FORMATTED = re.compile(r"([fF][rR]?|[rR][fF])('''|\"\"\"|'|\")")
FIELDS_NEST = sys.version_info >= (3, 12)

# In the literal part of an f-string, what can end it or open a field.
_MARK = re.compile(r"""[\\{}'"]""")
_ESCAPE = re.compile(r"\\(?:N\{[^}]*\}|\r\n|(?=[{}])|.)", re.DOTALL)
_RAW_ESCAPE = re.compile(r"\\(?:\r\n|(?=[{}])|.)", re.DOTALL)
# In a field: a string, a name in one piece (its last letters are no prefix), a comment, a bracket.
_IN_FIELD = re.compile(
    r"(?P<string>"
    + PREFIX
    + r"""['"])|\w+|#[^\r\n]*|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<spec>:)"""
)

# The same, with what ends the code of a field before its spec.
_IN_CODE = re.compile(_IN_FIELD.pattern + r"|[=!<>]=|(?P<conversion>!)|(?P<itself>=(?=\s*[}!:]))")


def end_of_string(text: str, start: int) -> int:
    """The position after the string literal that begins at `start`; -1 if it has no end."""
    formatted = FORMATTED.match(text, start) if FIELDS_NEST else None
    if formatted is None:
        plain = PLAIN.match(text, start)
        return plain.end() if plain else -1
    return _FString(text, *formatted.groups()).end_of_literal(formatted.end())


def fields(text: str) -> Iterator[tuple[int, int]]:
    """Where the code of each field of an f-string begins and ends; of a field `{code=}`, nowhere.

    Where one of them says its own code, an empty span stands for it.
    """
    formatted = FORMATTED.match(text)
    if formatted is None:
        return
    string = _FString(text, *formatted.groups())
    mark = _MARK.search(text, formatted.end())
    while mark and not text.startswith(string.quote, mark.start()):
        at = mark.start()
        if mark[0] == "{" and not text.startswith("{{", at):
            yield at + 1, string.end_of_code(at + 1)
        at = string.after(mark[0], at)
        mark = _MARK.search(text, at) if at >= 0 else None


class _FString:
    """One f-string, walked part by part; positions in, positions out, -1 where it has no end."""

    def __init__(self, text: str, prefix: str, quote: str) -> None:
        self.text, self.quote = text, quote
        self.escape = _RAW_ESCAPE if len(prefix) == 2 else _ESCAPE

    def end_of_literal(self, at: int, in_spec: bool = False) -> int:
        """After the closing quote; for the format spec of a field at the brace that ends it."""
        mark = _MARK.search(self.text, at)
        while mark:
            at = mark.start()
            if self.text.startswith(self.quote, at):
                return at + len(self.quote)
            if in_spec and mark[0] == "}":
                return at
            at = self.after(mark[0], at, in_spec)
            mark = _MARK.search(self.text, at) if at >= 0 else None
        return -1

    def after(self, mark: str, at: int, in_spec: bool = False) -> int:
        """After a mark in the literal part, and after the field that it opens."""
        if mark == "\\":
            escape = self.escape.match(self.text, at)
            return escape.end() if escape else -1
        if mark == "{" and (in_spec or not self.text.startswith("{{", at)):
            return self._end_of_field(at + 1)
        return at + (2 if mark in "{}" else 1)

    def end_of_code(self, begin: int) -> int:
        """Where the code of a field ends; where it begins if the field says its own code."""
        depth, at = 0, begin
        part = _IN_CODE.search(self.text, at)
        while part:
            at, kind = part.end(), part.lastgroup
            if not depth and kind in ("close", "spec", "conversion"):
                return begin + len(self.text[begin : part.start()].rstrip())
            if not depth and kind == "itself":
                return begin
            depth += {"open": 1, "close": -1}.get(kind or "", 0)
            at = end_of_string(self.text, part.start()) if kind == "string" else at
            part = _IN_CODE.search(self.text, at) if at >= 0 else None
        return begin

    def _end_of_field(self, at: int) -> int:
        depth = 0
        part = _IN_FIELD.search(self.text, at)
        while part:
            at = part.end()
            if part.lastgroup == "string":
                at = end_of_string(self.text, part.start())
            elif part.lastgroup == "spec" and not depth:
                at = self.end_of_literal(at, in_spec=True)
                return at + 1 if at >= 0 else -1
            elif part.lastgroup == "close" and not depth:
                return at
            else:
                depth += {"open": 1, "close": -1}.get(part.lastgroup or "", 0)
            part = _IN_FIELD.search(self.text, at) if at >= 0 else None
        return -1
