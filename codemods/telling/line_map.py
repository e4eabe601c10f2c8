"""Which line of a text was which line of the text before it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from ..model import Finding


class LineMap:
    """Which line of one text a line of another text was."""

    def __init__(self, before: str, after: str) -> None:
        old, new = (list(map(str.strip, text.split("\n"))) for text in (before, after))
        self._lines = {0: 0}
        for _, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            for j in range(j1, j2):
                self._lines[j + 1] = max(min(i1 + j - j1, i2 - 1), 0) + 1

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
