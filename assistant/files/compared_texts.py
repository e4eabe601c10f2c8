"""Files that several entries wish changed: who only looks is told of them by their texts, too.

The places at which rules are due don't tell whether two entries want the same code there: of one
number of steps one needs `steps // hvd.size()` and the other `max(1, steps // hvd.size())`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from . import projects
from .discovery import Target
from .outcome import OptionsFor, Outcome, examine_bytes
from .source import read


def with_texts(
    outcomes: Sequence[Outcome | None], targets: Sequence[Target], options_for: OptionsFor
) -> list[Outcome | None]:
    """The outcomes, those with the texts that wish a file changed which another one does, too."""
    met = _met(outcomes)
    return [
        _looked_at_again(target, seen, options_for) if target.path in met else seen
        for target, seen in zip(targets, outcomes)
    ]


def _met(outcomes: Sequence[Outcome | None]) -> set[str]:
    """The paths of outcomes without texts that change one file with others."""
    wished: dict[str, set[str]] = {}
    for outcome in outcomes:
        migration = outcome.migration if outcome is not None and outcome.changed else None
        if outcome is None or migration is None or not migration.unmade:
            continue
        own = outcome.target.path
        wished.setdefault(own, set()).add(own)
        for other in migration.others:
            wished.setdefault(projects.path_of(own, other.path), set()).add(own)
    return {path for paths in wished.values() if len(paths) > 1 for path in paths}


def _looked_at_again(
    target: Target, seen: Outcome | None, options_for: OptionsFor
) -> Outcome | None:
    try:
        data = read(target.path)
    except OSError:  # it was there before: another one is told of that
        return seen
    options = options_for(os.path.dirname(target.path))._replace(only_look=False)
    return examine_bytes(target, data, options)


def without_texts(outcome: Outcome | None) -> Outcome | None:
    """The same for who only looks: which rules are due, and where."""
    migration = outcome.migration if outcome is not None else None
    if outcome is None or migration is None or not migration.steps:
        return outcome
    return outcome._replace(
        after=None, migration=migration._replace(steps=(), unmade=migration.due)
    )
