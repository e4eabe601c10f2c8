"""Pairs the statements of a block with those of the result in order, looking further where it must.

A program may hold the very statement that a rule inserts, or hold one twice. The first one that
looks like it need not be the one, which shows only where a later statement finds no partner.
"""

from __future__ import annotations

import ast
from typing import Callable

from ..program.records import NamedTuple

TRIES = 1_000  # statements of a block that are paired once more


class Unsound(Exception):
    """What is wrong, and at which line of the original."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


class Pair(NamedTuple):
    """How far original and result were gone through; `free` if an insertion may come next."""

    old: int
    new: int
    free: bool


# From a pair, and from which one of the result on to look: the next pair, and where to look from
# if that was the wrong one (None: there is no choice).
Step = Callable[[Pair, int], "tuple[Pair, int | None]"]


def in_order(begin: Pair, length: int, step: Step, gone: list[ast.AST]) -> Pair:
    """The pair after the last statement. Raises the first Unsound where no choice leads there.

    `gone` is what `step` adds to; it is as after the steps that led to the end.
    """
    pair, start = begin, begin.new
    behind: list[tuple[Pair, int, int]] = []
    first: Unsound | None = None
    tries = 0
    while pair.old < length:
        known = len(gone)
        try:
            following, again = step(pair, start)
        except Unsound as error:
            first, tries = first or error, tries + 1
            if not behind or tries > TRIES:
                raise first from None
            pair, start, known = behind.pop()
            del gone[known:]
            continue
        if again is not None:
            behind.append((pair, again, known))
        pair, start = following, following.new
    return pair
