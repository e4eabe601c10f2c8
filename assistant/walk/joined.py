"""The entries of a walk with the files that change with them: each is asked about as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from ..files import projects
from ..files.discovery import Target
from ..files.examine import OptionsFor
from ..files.outcome import Outcome
from ..files.together import settled
from .lost_rules import NONE

Seen = Sequence["tuple[Target, Outcome | None]"]


class Examine(Protocol):
    """Looks at a file with what it imports, and at no other entry; no data: as it is on disk."""

    def __call__(
        self, target: Target, data: bytes | None, left_out: frozenset[str], repairs: frozenset[str]
    ) -> Outcome: ...


class Joined:
    """Looks at files as `distify migrate` does: `seen` is what became of each before that."""

    def __init__(self, seen: Seen, examine: Examine, options_for: OptionsFor) -> None:
        self._seen, self._examine, self._options_for = list(seen), examine, options_for
        self._known: dict[tuple[str, bytes, frozenset[str], frozenset[str]], Outcome] = {}
        self._keep(seen)

    def again(self) -> None:
        """Reads all files anew: somebody has edited one, or several."""
        self._known.clear()
        projects.forget()
        self._seen = [
            (target, each and self._examine(target, None, NONE, NONE))
            for target, each in self._seen
        ]
        self._keep(self._seen)

    def units(self, repairs: Mapping[str, frozenset[str]]) -> list[Outcome]:
        """Every file that was worth a look, each entry with what changes with it.

        `repairs` are those that were chosen, by the path of the file.
        """
        outcomes = [
            each and self._looked_at(each, NONE, repairs.get(target.path, NONE))
            for target, each in self._seen
        ]
        targets = [target for target, _ in self._seen]
        return joined(settled(outcomes, targets, self._options_for))

    def look(
        self, unit: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE
    ) -> Outcome:
        """One entry, or several that share a file, without some rules and with some repairs."""
        first = {target.path: each for target, each in self._seen}
        targets = [each.target for each in unit.files]
        outcomes = [
            self._looked_at(each, left_out, repairs)
            if first.get(each.target.path) is not None
            else None
            for each in unit.files
        ]
        lead, *others = settled(outcomes, targets, self._options_for)
        return (lead or outcomes[0] or unit)._replace(
            beside=tuple(each for each in others if each is not None)
        )

    def _keep(self, seen: Seen) -> None:
        for target, outcome in seen:
            if outcome is not None and outcome.source is not None:
                self._known[target.path, outcome.source.data, NONE, NONE] = outcome

    def _looked_at(
        self, seen: Outcome, left_out: frozenset[str], repairs: frozenset[str]
    ) -> Outcome:
        if seen.source is None:
            return seen
        key = seen.target.path, seen.source.data, left_out, repairs
        if key not in self._known:
            self._known[key] = self._examine(seen.target, seen.source.data, left_out, repairs)
        return self._known[key]


def joined(outcomes: Iterable[Outcome | None]) -> list[Outcome]:
    """The outcomes, those that change only together as one; the first entry stands for them."""
    known = {each.target.path: each for each in outcomes if each is not None}
    groups: list[set[str]] = []
    for path, each in known.items():
        together = {path, *(other for other in _others(each) if other in known)}
        apart = [group for group in groups if not group & together]
        groups = [*apart, together.union(*(group for group in groups if group & together))]
    return sorted(
        (_unit([each for path, each in known.items() if path in group]) for group in groups),
        key=lambda unit: list(known).index(unit.target.path),
    )


def _unit(files: Sequence[Outcome]) -> Outcome:
    lead = next((each for each in files if _others(each)), files[0])
    return lead._replace(beside=tuple(each for each in files if each is not lead))


def _others(outcome: Outcome) -> list[str]:
    """The paths of the files that change with an entry."""
    migration = outcome.migration
    if migration is None or not outcome.changed:
        return []
    return [projects.path_of(outcome.target.path, other.path) for other in migration.others]
