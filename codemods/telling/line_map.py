"""Which line of a text was which line of the text before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from ..model import Finding

_WORD = re.compile(r"\w+")
_MOST_PAIRS = 10_000  # of lines that took another's place, and of those


class LineMap:
    """Which line of one text a line of another text was."""

    def __init__(self, before: str, after: str) -> None:
        old, new = (list(map(str.strip, text.split("\n"))) for text in (before, after))
        self._lines = {0: 0}
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            numbers: Sequence[int] = range(j2 - j1)
            if tag == "replace" and (i2 - i1) * (j2 - j1) <= _MOST_PAIRS:
                numbers = _aligned(old[i1:i2], new[j1:j2])
            for j, number in enumerate(numbers, j1):
                self._lines[j + 1] = max(min(i1 + number, i2 - 1), 0) + 1

    def of(self, finding: Finding) -> Finding:
        """The finding at the line that its own was."""
        line, reaches = self._lines.get(finding.line, 1), self._lines.get(finding.reaches, 0)
        return finding._replace(line=line, reaches=reaches)

    def places(self, places: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """The same for lines and columns."""
        return tuple(sorted({(self._lines.get(line, 1), column) for line, column in places}))

    def line(self, number: int) -> int:
        """The line that a line was, or the one that it stands behind now; both from 1."""
        return self._lines.get(number, 1)


def _aligned(old: Sequence[str], new: Sequence[str]) -> Sequence[int]:
    """For each new line the old one, in their order, with which it has most words in common."""
    words = [frozenset(_WORD.findall(line)) for line in old]
    sums, ways = [0] * len(old), list[list[int]]()
    for line in new:
        own, before, best = frozenset(_WORD.findall(line)), sums, 0
        sums, way = [], []
        for i, common in enumerate(words):
            best = i if before[i] > before[best] else best
            way.append(best)
            sums.append(before[best] + len(own & common))
        ways.append(way)
    found = [sums.index(max(sums))]
    for way in reversed(ways[1:]):
        found.append(way[found[-1]])
    return found[::-1]
