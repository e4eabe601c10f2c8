"""How much a result counts: the one notion behind `--fail-on` of every command, and the Action's.

An error is what can't be migrated; a warning what would change. The settings may say otherwise of a
code (`severity`), which makes no block writable. What can't be read or parsed is worse than any.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from . import config
from .outcome import Outcome

NEVER, UNREADABLE, ERROR, WARNING, NOTE = "never", "unreadable", "error", "warning", "note"
# Words of the Action from before there were severities.
SAME = {"blocked": ERROR, "changes": WARNING}
WORDS = (NEVER, UNREADABLE, ERROR, WARNING, *SAME)
FAILED = 2
_RANK = {NOTE: 0, WARNING: 1, ERROR: 2}


def exit_code(
    outcomes: Iterable[Outcome], failed: bool, fail_on: str, changes_count: bool = True
) -> int:
    """0, 1 for what was found from this level on, 2 where something failed (if not never)."""
    level = SAME.get(fail_on, fail_on)
    if failed and level != NEVER:
        return FAILED
    if level not in _RANK:
        return 0
    return int(any(rank(outcome, changes_count) >= _RANK[level] for outcome in outcomes))


def rank(outcome: Outcome, changes_count: bool) -> int:
    """The highest rank of anything that was found in a file."""
    table = _table(outcome)
    found = _found(outcome, changes_count)
    return max((_RANK[table.get(code, default)] for code, default in found), default=0)


def level(outcome: Outcome, code: str, default: str) -> str:
    """How much a code counts in a file: as by itself, if the settings don't say otherwise."""
    return _table(outcome).get(code, default)


def lowered(outcome: Outcome) -> dict[str, str]:
    """The codes that block a file and count as less than an error, by the settings."""
    table = _table(outcome)
    codes = [code for code, level in _found(outcome, False) if level == ERROR]
    return {code: table[code] for code in codes if table.get(code, ERROR) != ERROR}


def _found(outcome: Outcome, changes_count: bool) -> Iterator[tuple[str, str]]:
    """Every code of an outcome, and how much it counts by itself."""
    migration = outcome.migration
    if migration is None or outcome.problem:
        return
    yield from ((finding.code, ERROR) for finding in migration.blocked)
    yield from ((finding.code, finding.severity) for finding in migration.notes)
    if outcome.changed and changes_count:
        yield from ((due.code, WARNING) for due in migration.changing_rules)


def _table(outcome: Outcome) -> dict[str, str]:
    return dict(config.settings(os.path.dirname(outcome.target.path) or os.getcwd()).severity)
