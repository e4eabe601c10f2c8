"""Looks at files again: without some rules, with some repairs, or because they were edited."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .. import codemods
from ..files.choice import Choice
from ..files.discovery import Target
from ..files.examine import examine_bytes
from ..files.outcome import Outcome
from ..files.reader import Problem, reason
from .disk import Disk
from .joined import Joined, Seen
from .lost_rules import NONE


class Looks:
    """Looks at the files of a walk, by what they held when it began, or hold now."""

    def __init__(self, choice: Choice, disk: Disk, seen: Seen) -> None:
        self._choice, self._disk = choice, disk
        self._joined = Joined(seen, self._examine, choice.options_for)

    def __call__(
        self, outcome: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE
    ) -> Outcome:
        """At what the files held, or hold where that is gone, without some rules, with repairs."""
        if outcome.source is None:
            self.again()
            return self._examine(outcome.target, None, left_out, repairs)
        return self._joined.look(outcome, left_out, repairs)

    def again(self) -> None:
        """Reads all files anew: what they held is gone."""
        self._joined.again()

    def units(self, repairs: Mapping[str, frozenset[str]]) -> list[Outcome]:
        """At all of them anew, each with the repairs of its path."""
        return self._joined.units(repairs)

    def _examine(
        self, target: Target, data: bytes | None, left_out: frozenset[str], repairs: frozenset[str]
    ) -> Outcome:
        options = self._choice.options_for(os.path.dirname(target.path))
        ignore = options.ignore | left_out.difference(each.code for each in codemods.repairs())
        options = options._replace(ignore=ignore, repair=(options.repair | repairs) - left_out)
        try:
            data = self._disk.read(target.path) if data is None else data
        except OSError as error:
            return Outcome(target, problem=Problem(target.name, reason(error)))
        first = self._disk.first(target.path)
        return examine_bytes(target, data, options, was=None if data == first else first)
