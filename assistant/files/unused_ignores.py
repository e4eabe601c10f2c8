"""What `per-file-ignores` take away in vain, told like a comment that does nothing (S01)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from .. import codemods
from .config import Settings, settings
from .gitignore import names
from .outcome import Outcome
from .reader import Problem

MESSAGE = "S01 per-file-ignores {!r:.60}: {} is not found in its files: it suppresses nothing"
SETTLED = {"N01", "T06", "N04"}  # where they hold nothing else is asked


def unused_ignores(paths: Iterable[str], outcomes: Sequence[Outcome]) -> Iterator[Problem]:
    """One for each pattern and code, of settings whose whole folder was looked through."""
    for own in looked_through(paths, (each.target.path for each in outcomes)):
        if own.per_file:
            yield from _of_settings(own, outcomes)


def looked_through(paths: Iterable[str], files: Iterable[str]) -> Iterator[Settings]:
    """The settings for all of whose files somebody asked: their folder is among the paths."""
    folders = [os.path.abspath(path) for path in paths if os.path.isdir(path)]
    if not folders:
        return
    inside = map(os.path.dirname, files)
    found = {settings(folder) for folder in {*folders, *inside} if folder}
    for own in sorted(found, key=lambda each: each.path):
        if any(_is_within(own.path, folder) for folder in folders):
            yield own


def _is_within(path: str, folder: str) -> bool:
    base = os.path.dirname(path)
    return base == folder or base.startswith(os.path.join(folder, ""))


def _of_settings(own: Settings, outcomes: Sequence[Outcome]) -> Iterator[Problem]:
    rules = {rule.code for rule in codemods.rules()}
    base = os.path.dirname(own.path)
    mine = [o for o in outcomes if settings(os.path.dirname(o.target.path)) == own]
    for pattern, codes in own.per_file:
        named = [each for each in mine if names(base, [pattern], each.target.path)]
        for code in codes:
            if not any(_may_use(each, code, code in rules) for each in named):
                yield Problem(own.path, MESSAGE.format(pattern, code))


def _may_use(outcome: Outcome, code: str, is_rule: bool) -> bool:
    """Whether a code is of use in a file; one of a rule where anything is to be changed."""
    seen = outcome.migration
    if seen is None:
        return outcome.problem is not None
    if is_rule or any(finding.code in SETTLED for finding in seen.blocked):
        return outcome.changed or outcome.blocked
    return any(each.finding.code == code for each in seen.suppressed)
