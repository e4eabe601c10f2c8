"""Drawing, and the marks that say where a line of a generated program may be broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Draw = Callable[["st.SearchStrategy[Any]"], Any]
Lines = list[str]

# One line of a program is one logical line, indented by four spaces a level. These stand in it
# where it may be broken: in arguments, before the dots of a chain, inside of a string.
OPEN, COMMA, CLOSE, DOT, CHAIN, UNCHAIN, BREAK = "\1\2\3\4\5\6\7"
INDENT = "    "


class Choices:
    """What one program is made of; everything shrinks towards the first option and towards no."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._used = 0

    def one(self, *options: T) -> T:
        """One of the options."""
        return options[self.number(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """True in about so many of a hundred programs.

        Few values, as every value that means the same gives Hypothesis the same program again.
        """
        of = max(2, round(100 / percent))
        return self.number(0, of - 1) == of - 1

    def number(self, least: int, most: int) -> int:
        """A number, both ends included."""
        return int(self._draw(st.integers(least, most)))

    def some(self, options: Sequence[T], most: int, least: int = 0) -> list[T]:
        """Up to so many of the options, in any order, none twice."""
        rest, chosen = list(options), []
        for _ in range(self.number(least, most)):
            chosen.append(rest.pop(self.number(0, len(rest) - 1)))
        return chosen

    def fresh(self) -> int:
        """A number that this program has not used yet."""
        self._used += 1
        return self._used


def call(function: str, *arguments: str) -> str:
    """A call whose arguments may stand on lines of their own."""
    given = [argument for argument in arguments if argument]
    if not given:
        return f"{function}()"
    return f"{function}({OPEN}{f',{COMMA}'.join(given)}{CLOSE})"


def chain(first: str, *calls: str) -> str:
    """Calls of methods, each of which may stand on a line of its own."""
    return f"{CHAIN}{first}{''.join(f'{DOT}.{one}' for one in calls if one)}{UNCHAIN}"


def inside(head: str, lines: Sequence[str]) -> Lines:
    """A block."""
    return [head, *(INDENT + line for line in lines)]
