"""The hunks of what a rule changes, and the text that some of them make."""

from __future__ import annotations

import difflib
from collections.abc import Container
from typing import NamedTuple


class Hunk(NamedTuple):
    """Lines that a rule replaces by others."""

    start: int  # of the lines before, from 0
    end: int
    before: str
    after: str


def hunks(before: str, after: str) -> list[Hunk]:
    """What changes between two texts, place by place."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        Hunk(start, end, "".join(old[start:end]), "".join(new[first:last]))
        for what, start, end, first, last in matcher.get_opcodes()
        if what != "equal"
    ]


def with_some(before: str, after: str, taken: Container[int]) -> str:
    """The text before with those hunks whose numbers, from 0, are `taken`."""
    lines, made, at = before.splitlines(keepends=True), list[str](), 0
    for number, hunk in enumerate(hunks(before, after)):
        text = hunk.after if number in taken else hunk.before
        made += [*lines[at : hunk.start], text]
        at = hunk.end
    return "".join([*made, *lines[at:]])
