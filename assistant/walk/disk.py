"""The files of a walk: what they held at its beginning, what they hold now, what is written."""

from __future__ import annotations

from collections.abc import Iterable

from ..files.outcome import Outcome
from ..files.reader import Problem
from ..files.source import read
from ..files.writes import Change, WriteFailed, write_all
from .steps import Restore, Write


class Disk:
    """Writes single files, each as a whole and only if nobody else has changed it meanwhile."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        sources = {each.target.path: each.source for each in outcomes}
        self._first = {path: each.data for path, each in sources.items() if each is not None}
        self._now = dict(self._first)

    def read(self, path: str) -> bytes:
        """What a file holds after a person edited it. Raises OSError."""
        self._first[path] = self._now[path] = read(path)
        return self._now[path]

    def put(self, step: Write | Restore) -> Problem | None:
        """Writes what a file is to be, or what it held before; the problem, if that failed."""
        path, after = step.outcome.target.path, step.outcome.after
        if isinstance(step, Restore):
            after = self._first[path]
        return self.replace(step.outcome, after) if after is not None else None

    def replace(self, outcome: Outcome, data: bytes) -> Problem | None:
        """Writes these bytes; the problem, if that failed."""
        path = outcome.target.path
        try:
            write_all([Change(path, self._now[path], data)])
        except (WriteFailed, OSError) as error:
            return Problem(outcome.name, f"could not be written: {error}")
        self._now[path] = data
        return None
