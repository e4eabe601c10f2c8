"""What is left to a person after a run, at which line of which file, as git knows it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .. import codemods
from ..files.outcome import Outcome
from ..files.result import Result, problems
from ..git.repository import Repository
from ..report import proved
from ..report.reasons import told
from ..report.spots import in_file, words
from .story import Remark

if TYPE_CHECKING:
    from distify.codemods.model import Finding


def left(repository: Repository, result: Result) -> Iterator[Remark]:
    """What distify did not migrate, and why."""
    for outcome in result.outcomes:
        for finding in outcome.migration.blocked if outcome.blocked and outcome.migration else ():
            path = repository.relative(outcome.target.path)
            becomes = f"would become: {finding.becomes}" if finding.becomes else ""
            said = filter(None, (finding.message, becomes))
            text = " – fix: ".join(filter(None, (" – ".join(said), finding.fix)))
            yield _remark(outcome, path, finding, text)
    for problem in problems(result):
        yield Remark(
            _path(repository, problem.name), problem.line, "", problem.message, problem.column
        )


def notes(repository: Repository, result: Result) -> Iterator[Remark]:
    """What a reviewer of the migrated files should know."""
    for outcome in result.outcomes:
        for finding in outcome.migration.notes if outcome.changed and outcome.migration else ():
            path = repository.relative(outcome.target.path)
            yield _remark(outcome, path, finding, finding.message)
        for each in outcome.suppressed:
            path, finding = repository.relative(outcome.target.path), each.finding
            text = f"suppressed ({each.reason or 'no reason given'}): {finding.message}"
            yield _remark(outcome, path, finding, text)
        for taken in outcome.taken_on:
            path, finding = repository.relative(outcome.target.path), taken.finding
            text = f"{taken.obligation} is taken on ({taken.reason or 'no reason given'})"
            yield _remark(outcome, path, finding, f"{text}: {finding.message}")


def proofs(repository: Repository, result: Result) -> Iterator[tuple[str, str]]:
    """The files of which something is proved, and what that is."""
    for outcome in result.outcomes:
        said = proved.sentence(proved.of(outcome))
        if said:
            yield repository.relative(outcome.target.path), said


def why(repository: Repository, result: Result) -> Iterator[Remark]:
    """Each place that changes, with the line that a diff says above it."""
    rules = {rule.code: rule for rule in codemods.changes()}
    for outcome in result.outcomes:
        if outcome.changed:
            path = repository.relative(outcome.target.path)
            for line, said in told(outcome, rules):
                yield Remark(path, in_file(outcome, line), "", said)


def _remark(outcome: Outcome, path: str, finding: Finding, text: str) -> Remark:
    """At the line that a forge shows: that of a notebook's JSON, whose cell the words name."""
    place = (finding.line, 0)
    if outcome.source is not None and outcome.source.cells is not None:
        text = f"{words(outcome, (place,))}: {text}"
        return Remark(path, in_file(outcome, finding.line), finding.code, text, 1)
    return Remark(path, finding.line, finding.code, text, finding.column + 1)


def _path(repository: Repository, name: str) -> str:
    """As git knows it, also where a link leads into the repository, as that of a workspace may."""
    folder, file = os.path.split(os.path.abspath(name))
    path = os.path.join(os.path.realpath(folder), file)
    return os.path.relpath(path, repository.top).replace(os.sep, "/")
