"""What is left to a person after a run, at which line of which file, as git knows it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..files.result import Result, problems
from ..git.repository import Repository
from .story import Remark


def left(repository: Repository, result: Result) -> Iterator[Remark]:
    """What distify did not migrate, and why."""
    for outcome in result.outcomes:
        for finding in outcome.migration.blocked if outcome.blocked and outcome.migration else ():
            path = repository.relative(outcome.target.path)
            text = " – fix: ".join(filter(None, (finding.message, finding.fix)))
            yield Remark(path, finding.line, finding.code, text, finding.column + 1)
    for problem in problems(result):
        yield Remark(
            _path(repository, problem.name), problem.line, "", problem.message, problem.column
        )


def notes(repository: Repository, result: Result) -> Iterator[Remark]:
    """What a reviewer of the migrated files should know."""
    for outcome in result.outcomes:
        for finding in outcome.migration.notes if outcome.changed and outcome.migration else ():
            path = repository.relative(outcome.target.path)
            yield Remark(path, finding.line, finding.code, finding.message, finding.column + 1)
        for each in outcome.suppressed:
            path, finding = repository.relative(outcome.target.path), each.finding
            text = f"suppressed ({each.reason or 'no reason given'}): {finding.message}"
            yield Remark(path, finding.line, finding.code, text, finding.column + 1)


def _path(repository: Repository, name: str) -> str:
    """As git knows it, also where a link leads into the repository, as that of a workspace may."""
    folder, file = os.path.split(os.path.abspath(name))
    path = os.path.join(os.path.realpath(folder), file)
    return os.path.relpath(path, repository.top).replace(os.sep, "/")
