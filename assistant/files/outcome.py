"""What became of a file that was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from .discovery import Target
from .reader import Problem
from .source import Source

if TYPE_CHECKING:
    from distify.codemods.model import Migration, Suppressed, TakenOn


class NotJudged(AssertionError):
    """Somebody asks for the new bytes of a file that the judge hasn't let pass."""


class Outcome(NamedTuple):
    """What became of one file that was worth a look.

    `proposed` are the bytes that it would get; who writes or shows them asks for `after`.
    """

    target: Target
    source: Source | None = None
    migration: Migration | None = None
    proposed: bytes | None = None
    problem: Problem | None = None
    skipped: str = ""
    beside: tuple[Outcome, ...] = ()  # on a walk: the other files that change only with this one

    @property
    def files(self) -> tuple[Outcome, ...]:
        """This file, and those that change with it, each by itself."""
        return (self._replace(beside=()), *self.beside)

    @property
    def name(self) -> str:
        """The path as it is told."""
        return self.target.name

    @property
    def after(self) -> bytes | None:
        """Its new bytes, if any: the only way to them. Raises NotJudged."""
        if self.proposed is None:
            return None
        if self.migration is None or not self.migration.is_judged:
            raise NotJudged(f"{self.name}: the judge hasn't seen what is to be written")
        return self.proposed

    @property
    def changed(self) -> bool:
        """Whether distify would write this file (or has written it)."""
        unmade = self.migration is not None and bool(self.migration.unmade)
        return (unmade or self.proposed is not None) and self.problem is None

    @property
    def blocked(self) -> bool:
        """Whether a restriction refuses the file."""
        return self.problem is None and self.migration is not None and bool(self.migration.blocked)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The rules that the result needs and that were left out all the same (--unsound)."""
        return self.migration.left_out if self.migration is not None and self.changed else ()

    @property
    def taken_on(self) -> tuple[TakenOn, ...]:
        """What isn't proved of the result, and somebody takes on them."""
        return self.migration.taken_on if self.migration is not None and self.changed else ()

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        """The findings that would have kept the file from being changed, had nobody taken them."""
        found = self.migration.suppressed if self.migration is not None and self.changed else ()
        return tuple(each for each in found if each.blocks)
