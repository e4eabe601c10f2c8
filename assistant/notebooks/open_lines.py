"""Whether a line begins in the middle of a statement: in a string, in brackets, behind `\\`."""

from __future__ import annotations

import re
from typing import NamedTuple

_TRIPLE = ('"""', "'''")
_TOKEN = re.compile(
    r"#.*|\"\"\"|'''|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[()\[\]{}]",
)
_TO_END = {quote: re.compile(rf"(?:\\.|[^\\])*?{quote}") for quote in _TRIPLE}


class Open(NamedTuple):
    """What is open behind some lines: triple quotes, brackets, or a backslash."""

    quote: str = ""
    depth: int = 0
    is_continued: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the next line belongs to what began before."""
        return bool(self.quote or self.depth or self.is_continued)

    def behind(self, line: str) -> Open:
        """What is open behind one more line."""
        quote, depth, at = self.quote, self.depth, 0
        while at < len(line):
            if quote:
                end = _TO_END[quote].match(line, at)
                if end is None:
                    return Open(quote, depth)
                quote, at = "", end.end()
                continue
            found = _TOKEN.search(line, at)
            if found is None:
                break
            at = found.end()
            if found[0] in _TRIPLE:
                quote = found[0]
            else:
                depth = max(0, depth + (found[0] in "([{") - (found[0] in ")]}"))
        return Open(quote, depth, not quote and line.rstrip("\r").endswith("\\"))
