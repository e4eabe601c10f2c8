"""The patterns of ignore files, matched as git does, in time that no pattern can blow up.

https://git-scm.com/docs/gitignore and git's wildmatch.c. A translation into regular expressions
needs exponential time for `*a*a*a*a*ab`; here a name takes at most its length times the pattern's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable, Union

from distify.codemods.program.records import NamedTuple

CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": " \t".__contains__,
    "cntrl": lambda char: char < " " or char == "\x7f",
    "digit": str.isdigit,
    "graph": lambda char: "!" <= char <= "~",
    "lower": str.islower,
    "print": lambda char: " " <= char <= "~",
    "punct": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".__contains__,
    "space": str.isspace,
    "upper": str.isupper,
    "xdigit": "0123456789abcdefABCDEF".__contains__,
}


class OneOf(NamedTuple):
    """`[a-z]`: the ranges and classes that a character may be in, or must not be in."""

    negated: bool
    ranges: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]

    def holds(self, char: str) -> bool:
        """Whether the brackets match this character."""
        inside = any(low <= char <= high for low, high in self.ranges) or any(
            char.isascii() and CLASSES[name](char) for name in self.classes
        )
        return inside is not self.negated


STAR, ONE = OneOf(True, (), ("star",)), OneOf(True, (), ())
DEEP = "**"  # any number of folders
Token = Union[str, OneOf]
Part = Union[str, tuple[Token, ...]]


class Malformed(ValueError):
    """A pattern that names nothing, as an open bracket does."""


class Pattern(NamedTuple):
    """One line: what it does to the entries that it names."""

    ignores: bool
    folders_only: bool
    parts: tuple[Part, ...]  # between slashes

    def names(self, path: str) -> bool:
        """Whether it names this very entry; folders end in a slash, `/` divides."""
        if self.folders_only and not path.endswith("/"):
            return False
        folders, places = path.rstrip("/").split("/"), {0}
        for number, part in enumerate(self.parts):
            places = _ends_of_part(part, number == len(self.parts) - 1, folders, places)
            if not places:
                return False
        return len(folders) in places


def _ends_of_part(part: Part, last: bool, folders: Sequence[str], places: set[int]) -> set[int]:
    """Where a part ends that begins at one of these places."""
    if isinstance(part, str):  # `a/**` names what is in `a`, not `a` itself
        return set(range(min(places) + last, len(folders) + last))
    return {at + 1 for at in places if at < len(folders) and _fits(part, folders[at])}


def _fits(tokens: Sequence[Token], name: str) -> bool:
    """Only the last star can be to blame for a failure, so only it is widened."""
    at = here = 0
    star, since = -1, 0
    while here < len(name):
        token = tokens[at] if at < len(tokens) else None
        if token is STAR:
            star, since = at, here
            at += 1
        elif token is not None and (token == name[here] or _holds(token, name[here])):
            at, here = at + 1, here + 1
        elif star >= 0:
            since += 1
            at, here = star + 1, since
        else:
            return False
    return all(token is STAR for token in tokens[at:])


def _holds(token: Token, char: str) -> bool:
    return isinstance(token, OneOf) and token.holds(char)


def pattern(line: str) -> Pattern | None:
    """The pattern of a line; None for a comment, a blank line and what names nothing."""
    line = _without_trailing_blanks(line)
    if line.startswith("#"):
        return None
    body = line[1:] if line.startswith("!") else line
    folders_only = body.endswith("/")
    body = body[:-1] if folders_only else body
    if not body:
        return None
    parts = body[1:].split("/") if body.startswith("/") else body.split("/")
    anchored = parts if "/" in body else [DEEP, *parts]
    try:
        found = tuple(part if part == DEEP else _tokens(part) for part in anchored)
    except Malformed:
        return None
    return Pattern(not line.startswith("!"), folders_only, found)


def _without_trailing_blanks(line: str) -> str:
    bare = line.rstrip(" ")
    escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return f"{bare} " if escaped and bare != line else bare


def _tokens(part: str) -> tuple[Token, ...]:
    found: list[Token] = []
    at = 0
    while at < len(part):
        char = part[at]
        if char == "[":
            token, at = _one_of(part, at + 1)
            found.append(token)
            continue
        if char == "\\":
            at += 1
            found.append(_char(part, at))
        elif char == "?":
            found.append(ONE)
        elif char != "*":
            found.append(char)
        elif found[-1:] != [STAR]:
            found.append(STAR)
        at += 1
    return tuple(found)


def _char(part: str, at: int) -> str:
    if at >= len(part):
        raise Malformed(part)
    return part[at]


def _one_of(part: str, at: int) -> tuple[OneOf, int]:
    """What is between brackets, and where it ends; a bracket that comes first stands for itself."""
    negated = part[at : at + 1] in ("!", "^") and bool(part[at : at + 1])
    at += negated
    first, ranges, classes = at, [], []
    while at == first or _char(part, at) != "]":
        if part.startswith("[:", at):
            end = part.find(":]", at + 2)
            if end < 0 or part[at + 2 : end] not in CLASSES:
                raise Malformed(part)
            classes.append(part[at + 2 : end])
            at = end + 2
            continue
        low, at = _literal(part, at)
        ranges.append((low, low))
        if part[at : at + 1] == "-" and part[at + 1 : at + 2] not in ("", "]"):
            high, at = _literal(part, at + 1)
            ranges.append((low, high))
    return OneOf(negated, tuple(ranges), tuple(classes)), at + 1


def _literal(part: str, at: int) -> tuple[str, int]:
    at += part[at : at + 1] == "\\"
    return _char(part, at), at + 1
