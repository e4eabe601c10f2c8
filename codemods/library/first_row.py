"""Rows of patterns, of which the first one that fits a name counts."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"(?:\w|\\\.)*")
_MOST = 5_000  # names whose answers are remembered: the same few come in every program


class Rows:
    """What the first pattern that fits the beginning of a name stands for.

    A pattern is compiled when a name begins with what it begins with: most never are.
    """

    def __init__(self, rows: tuple[tuple[str, str | None], ...]) -> None:
        self._rows = [(_beginning(pattern), pattern, answer) for pattern, answer in rows]
        self._known: dict[str, str | None] = {}

    def first(self, name: str) -> str | None:
        """The answer of the first row that fits, None where no row does."""
        if name not in self._known:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[name] = self._search(name)
        return self._known[name]

    def _search(self, name: str) -> str | None:
        for beginning, pattern, answer in self._rows:
            if name.startswith(beginning) and re.match(pattern, name):
                return answer
        return None


def _beginning(pattern: str) -> str:
    """What every name that fits begins with: of `tensorflow\\.(?:a|b)`, `tensorflow.`."""
    found = _PLAIN.match(pattern)
    text = "" if found is None else found[0]
    is_optional = pattern[len(text) : len(text) + 1] in ("?", "*", "{", "|")
    plain = text.replace("\\.", ".")
    return plain[:-1] if is_optional else plain
