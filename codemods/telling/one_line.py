"""A statement over several lines, as it is told in one."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from itertools import takewhile

_SPACE = re.compile(r"\s+")
_INSIDE = re.compile(r"(?<=[(\[{]) | (?=[)\]}])|,(?= ?[)\]}])")
_OPENS = ("(", "[", "{")


def in_one_line(text: str, line: int) -> str:
    """The line of a text; what goes on in the next ones with it, and without their layout."""
    lines = text.split("\n")[line - 1 :]
    if not lines or not lines[0].rstrip().endswith(_OPENS):
        return lines[0].strip() if lines else ""
    tokens = takewhile(lambda token: token.type != tokenize.NEWLINE, _tokens(lines))
    many = max((token.end[0] for token in tokens), default=1)
    told = _SPACE.sub(" ", " ".join(lines[:many]).strip())
    return _INSIDE.sub("", told)


def _tokens(lines: list[str]) -> Iterator[tokenize.TokenInfo]:
    following = iter([f"{lines[0].lstrip()}\n", *(f"{line}\n" for line in lines[1:])])
    try:
        yield from tokenize.generate_tokens(lambda: next(following, ""))
    except (tokenize.TokenError, SyntaxError):
        return
