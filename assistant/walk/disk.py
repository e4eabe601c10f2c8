"""The files of a walk: what they held at its beginning, what they hold now, what is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..files.outcome import Outcome
from ..files.reader import Problem
from ..files.source import read
from ..files.writes import Change, WriteFailed, write_all
from .dialogue import Restore, Uncomment, Write


class Disk:
    """Writes what changes together, all or nothing, and only if nobody has changed it meanwhile."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        sources = {each.target.path: each.source for each in outcomes}
        self._first = {path: each.data for path, each in sources.items() if each is not None}
        self._now = dict(self._first)

    def read(self, path: str) -> bytes:
        """What a file holds after a person edited it. Raises OSError."""
        self._first[path] = self._now[path] = read(path)
        return self._now[path]

    def first(self, path: str) -> bytes | None:
        """What a file held before anything was made of it; None where nobody has asked for it."""
        return self._first.get(path)

    @property
    def changes(self) -> list[Change]:
        """What the walk has made of files, and what they held before it."""
        known = ((path, self._first[path], now) for path, now in self._now.items())
        return [Change(path, first, now) for path, first, now in known if first != now]

    def put(self, step: Write | Restore | Uncomment) -> Problem | None:
        """Writes what a file is to be, or what it held before; the problem, if that failed."""
        if isinstance(step, Uncomment):
            assert step.outcome.source is not None
            return self.replace(step.outcome, step.outcome.source.data)
        for each in step.outcome.files:
            if each.source is not None and each.target.path not in self._now:
                self._first[each.target.path] = self._now[each.target.path] = each.source.data
        texts = {each.target.path: each.after for each in step.outcome.files if each.changed}
        if isinstance(step, Restore):
            texts = {path: self._first[path] for path in texts}
        return self._write(step.outcome, texts)

    def replace(self, outcome: Outcome, data: bytes) -> Problem | None:
        """Writes these bytes; the problem, if that failed."""
        return self._write(outcome, {outcome.target.path: data})

    def _write(self, outcome: Outcome, texts: Mapping[str, bytes | None]) -> Problem | None:
        made = {path: text for path, text in texts.items() if text is not None}
        try:
            write_all([Change(path, self._now[path], text) for path, text in made.items()])
        except (WriteFailed, OSError) as error:
            return Problem(outcome.name, f"could not be written: {error}")
        self._now.update(made)
        return None
