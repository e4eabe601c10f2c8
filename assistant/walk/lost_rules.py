"""What a file loses with a rule: the rules that need it, or all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from ..codemods import Rule
from ..files.outcome import Outcome

NONE: frozenset[str] = frozenset()


class Look(Protocol):
    """Looks at a file again, without some rules and with some repairs."""

    def __call__(
        self, outcome: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE
    ) -> Outcome: ...


class Without(NamedTuple):
    """A file without some rules: what it would be, and which rules are left out in the end."""

    outcome: Outcome
    left_out: frozenset[str]
    reasons: tuple[str, ...]  # why the rest would be wrong; empty: it is right


def without(outcome: Outcome, codes: Iterable[str], rules: Sequence[Rule], look: Look) -> Without:
    """The file without these rules and without those that need them."""
    left_out = frozenset(codes)
    while True:
        more = left_out | {rule.code for rule in rules if rule.needs & left_out}
        if more == left_out:
            break
        left_out = more
    seen = look(outcome, left_out)
    return Without(seen, left_out, tuple(why for each in seen.files for why in _reasons(each)))


def _reasons(outcome: Outcome) -> list[str]:
    """Why one of the files can't be written."""
    migration = outcome.migration
    reasons = [finding.message for finding in migration.blocked] if migration is not None else []
    return [*reasons, *([outcome.problem.message] if outcome.problem is not None else [])]


def due(outcome: Outcome) -> tuple[str, ...]:
    """The rules that change a file, or one of those that change with it, in order."""
    changed = [each.migration for each in outcome.files if each.changed]
    return tuple(sorted({step.code for each in changed if each for step in each.steps}))
