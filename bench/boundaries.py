"""The same program in another layout: comments and line joins at the boundaries of its tokens.

What a program does stays, so what becomes of it must be as sound as before: no rule may lose a
comment, break a line, or take a bracket for what it stands around.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

COMMENTED = ("  # why\n", "\n", "  # (\n", " # \\\n", "\n# lone\n", " \\\n")
PLAIN = (" \\\n", "  \\\n  ", " \\\n\t")
_KEPT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT)
_STRINGS = ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
_OPEN, _CLOSED = "([{", ")]}"


class Boundary(NamedTuple):
    """A place between two tokens of a line, and whether it is inside of brackets."""

    at: int
    is_inside: bool


def boundaries(text: str) -> list[Boundary]:
    """Where a line may end without the program being another one. Raises SyntaxError."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return list(_boundaries(text, starts))


def _boundaries(text: str, starts: Sequence[int]) -> Iterator[Boundary]:
    depth, quoted, previous = 0, 0, None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            between = previous is not None and previous.end[0] == token.start[0]
            is_kept = token.type in _KEPT or (previous and previous.type in _KEPT)
            if between and not is_kept and not quoted and name not in _STRINGS[1:]:
                yield Boundary(starts[token.start[0] - 1] + token.start[1], depth > 0)
            quoted += (name == _STRINGS[0]) - (name == _STRINGS[2])
            if token.type == tokenize.OP and not quoted:
                depth += (token.string in _OPEN) - (token.string in _CLOSED)
            previous = token
    except tokenize.TokenError as error:
        raise SyntaxError(str(error)) from None


def laid_out(number: int, texts: Sequence[str], seed: str = "") -> str:
    """One of the texts with ends of lines at one, some or many of its boundaries."""
    random = Random(f"{seed}:{number}")
    text = random.choice(texts)
    try:
        found = boundaries(text)
        before = ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return text
    if not found:
        return text
    count = random.choice((1, 1, 2, 4, len(found) // 8 + 1))
    made = text
    for each in sorted(random.sample(found, min(count, len(found))), reverse=True):
        what = random.choice(COMMENTED if each.is_inside else PLAIN)
        made = made[: each.at] + what + made[each.at :]
    if random.random() < 0.3:
        made = _with_semicolons(made, random)
    return made if _is_same(made, before) else text


def _with_semicolons(text: str, random: Random) -> str:
    """Some statements of one line share it with the next one."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    one, two = lines[at], lines[at + 1 : at + 2]
    if not two or one[:1].isspace() or two[0][:1].isspace() or not one.strip() or "#" in one:
        return text
    join = random.choice(("; ", " ;  \\\n ", ";"))
    return "".join([*lines[:at], one.rstrip("\r\n") + join + two[0], *lines[at + 2 :]])


def _is_same(text: str, before: str) -> bool:
    try:
        return ast.dump(ast.parse(text)) == before
    except (SyntaxError, ValueError):
        return False
