"""Files that several entries wish changed: who only looks is told of them by their texts, too.

The places at which rules are due don't tell whether two entries want the same code there: of one
number of steps one needs `steps // hvd.size()` and the other `max(1, steps // hvd.size())`.
"""

from __future__ import annotations

import os
from collections.abc import Container, Sequence

from . import projects
from .discovery import Target
from .examine import OptionsFor, examine_bytes
from .outcome import Outcome
from .source import read


def met(outcomes: Sequence[Outcome | None]) -> set[str]:
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


def looked_at_again(
    outcomes: Sequence[Outcome | None],
    targets: Sequence[Target],
    options_for: OptionsFor,
    paths: Container[str],
) -> list[Outcome | None]:
    """The outcomes, those of these paths with their texts."""
    makes = options_for_texts(options_for)
    return [
        _looked_at_again(target, seen, makes) if target.path in paths else seen
        for target, seen in zip(targets, outcomes)
    ]


def options_for_texts(options_for: OptionsFor) -> OptionsFor:
    """The options of who doesn't only look."""
    return lambda folder: options_for(folder)._replace(only_look=False)


def _looked_at_again(
    target: Target, seen: Outcome | None, options_for: OptionsFor
) -> Outcome | None:
    if seen is None or seen.migration is None or not seen.migration.unmade:
        return seen
    try:
        data = read(target.path)
    except OSError:  # it was there before: another one is told of that
        return seen
    return examine_bytes(target, data, options_for(os.path.dirname(target.path)))


def without_texts(outcome: Outcome | None) -> Outcome | None:
    """The same for who only looks: which rules are due, and where."""
    migration = outcome.migration if outcome is not None else None
    if outcome is None or migration is None or not migration.steps:
        return outcome
    return outcome._replace(proposed=None, migration=migration.without_texts)
