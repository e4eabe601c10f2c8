"""Which repairs take everything out of a file's way together: each is looked at behind the others.

What one repair uncovers may need the next one: only the engine knows, so it is asked again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from .examine import examine_bytes
from .outcome import Outcome

if TYPE_CHECKING:
    from distify.codemods.model import Migration, Options

    from .choice import Choice

MOST = 5  # files that are looked at again, so many
ROUNDS = 6  # times each


class Repaired(NamedTuple):
    """Repairs for one file, and how many reasons still block it behind all of them."""

    codes: tuple[str, ...]
    left: int


def repaired(outcomes: Iterable[Outcome], choice: Choice) -> Mapping[str, Repaired]:
    """The repairs of the first blocked files that have any, by the path of the file."""
    found: dict[str, Repaired] = {}
    for outcome in outcomes:
        migration = outcome.migration
        if len(found) < MOST and outcome.blocked and migration is not None and migration.repairs:
            folder = os.path.dirname(outcome.target.path)
            found[outcome.target.path] = _of(outcome, migration, choice.options_for(folder))
    return found


def _of(outcome: Outcome, migration: Migration, options: Options) -> Repaired:
    codes, seen = frozenset[str](), migration
    assert outcome.source is not None
    for _ in range(ROUNDS):
        more = _first(seen) - codes
        if not more:
            break
        wanted = options._replace(repair=options.repair | codes | more)
        again = examine_bytes(outcome.target, outcome.source.data, wanted)
        if again.migration is None:
            break  # distify stumbled over them: those before are offered
        codes, seen = codes | more, again.migration
    return Repaired(tuple(sorted(codes)), len(seen.blocked))


def _first(seen: Migration) -> frozenset[str]:
    """One repair for each finding: an automatic one, if there is any, else the first."""
    offers = sorted(seen.repairs, key=lambda offer: not offer.is_automatic)
    answers = ({o.code: o for o in reversed(offers) if each in o.answers} for each in seen.blocked)
    return frozenset(list(found)[-1] for found in answers if found)
