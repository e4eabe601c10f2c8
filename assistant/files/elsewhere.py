"""Writes a migrated tree into a folder of its own: `migrate --output-dir`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence

from .discovery import Target
from .outcome import Outcome
from .reader import Problem, reason
from .result import Result
from .saved import obstacle
from .source import read
from .writes import WriteFailed, create


def is_free(folder: str) -> bool:
    """Whether nothing is at a path yet, or an empty folder: nothing there is ever overwritten."""
    if os.path.islink(folder) or obstacle(folder).startswith("lies"):
        return False
    return not os.path.lexists(folder) or (os.path.isdir(folder) and not os.listdir(folder))


def write_elsewhere(folder: str, paths: Sequence[str], result: Result) -> Result:
    """The result, with every file that was looked at laid out in a folder as it is below `paths`.

    What changed is there as it became, the rest as it was; the names in the result are those of the
    new files. What can't be written is a problem of its file.
    """
    targets = [*(each.target for each in result.outcomes), *result.plain]
    top = _top(paths, [each.path for each in targets])
    outcomes = [_write_one(folder, top, each) for each in result.outcomes]
    plain = [_write_one(folder, top, Outcome(each)) for each in result.plain]
    failed = [each for each in plain if each.problem]
    unseen = tuple(each.target for each in plain if not each.problem)
    return result._replace(outcomes=[*outcomes, *failed], plain=unseen)


def _top(paths: Sequence[str], files: Iterable[str]) -> str:
    """The folder that is laid out anew: the one that was given, or what all given ones are in."""
    given = (path if os.path.isdir(path) else os.path.dirname(path) for path in _real(paths))
    try:
        return os.path.commonpath([*given, *map(os.path.dirname, files)])
    except ValueError:  # on several drives
        return os.path.abspath(os.sep)


def _real(paths: Sequence[str]) -> list[str]:
    return [os.path.realpath(path) for path in paths]


def _write_one(folder: str, top: str, outcome: Outcome) -> Outcome:
    if outcome.problem:
        return outcome
    old = outcome.target.path
    name = os.path.join(folder, os.path.relpath(old, top))
    moved = outcome._replace(target=Target(name, os.path.abspath(name), outcome.target.named))
    try:
        os.makedirs(os.path.dirname(moved.target.path), exist_ok=True)
        new = outcome.after if outcome.changed else None
        create(moved.target.path, read(old) if new is None else new)
        shutil.copymode(old, moved.target.path)
    except OSError as error:
        return _not_written(moved, reason(error))
    except WriteFailed as failure:
        return _not_written(moved, failure.cause)
    return moved


def _not_written(outcome: Outcome, cause: str) -> Outcome:
    return outcome._replace(problem=Problem(outcome.name, f"could not be written: {cause}"))
