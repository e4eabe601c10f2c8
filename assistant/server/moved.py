"""Where findings stand after an edit: what an editor is told until the new text is looked at.

What stands on lines that became others may not be so any more, and is left out; all else is told at
the line that its own has become.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

import attrs
from lsprotocol import types as lsp

from ..report.edits import lines

_NAMED = re.compile(r"\blines? \d+(?:(?:, | and | to )\d+)*")
_NUMBER = re.compile(r"\d+")


def moved(found: Sequence[lsp.Diagnostic], before: str, after: str) -> Iterator[lsp.Diagnostic]:
    """The findings of a text that an edit leaves, where they stand then."""
    now = _now(before, after)
    for each in found:
        begin, end = each.range.start, each.range.end
        if all(number in now for number in range(begin.line, end.line + 1)):
            place = lsp.Range(
                lsp.Position(now[begin.line], begin.character),
                lsp.Position(now[end.line], end.character),
            )
            yield attrs.evolve(each, range=place, message=_message(each.message, now))


def _now(before: str, after: str) -> Mapping[int, int]:
    """The lines of a text that are in another one, and which they are there; both from 0."""
    same = SequenceMatcher(None, lines(before), lines(after)).get_matching_blocks()
    return {block.a + n: block.b + n for block in same for n in range(block.size)}


def _message(text: str, now: Mapping[int, int]) -> str:
    """A message with the lines that it names."""

    def renumbered(number: re.Match[str]) -> str:
        line = int(number[0]) - 1
        return str(now.get(line, line) + 1)

    return _NAMED.sub(lambda named: _NUMBER.sub(renumbered, named[0]), text)
