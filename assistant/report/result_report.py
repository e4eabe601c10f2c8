"""A result and how it is to be told, for people or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from distify.codemods.program.records import NamedTuple

from .. import codemods
from ..files.outcome import Outcome
from ..files.repaired import Repaired
from ..files.result import Result
from . import next_steps, summary
from .terminal import Terminal

FAILED = 2  # the exit code
PLAIN = "no mention of training with TensorFlow or Keras"


class Report(NamedTuple):
    """A result and how it is to be told."""

    terminal: Terminal
    command: str
    result: Result
    written: bool  # whether the changes are made, or only would be
    verbose: bool = False
    paths: Sequence[str] = ()  # as they were given
    options: Sequence[str] = ()  # that chose the rules, as they were given
    targets: Sequence[str] = ()  # which TensorFlow was written for, and why
    proofs: Sequence[Any] = ()  # reports of `verify`, for a page
    repairs: Mapping[str, Repaired] = {}  # of blocked files, by path: those that go together
    is_seen: bool = False  # whether the diffs are shown beside

    @property
    def total(self) -> summary.Totals:
        """How many files of each kind there are."""
        result = self.result
        return summary.totals(result.outcomes, result.searched, len(result.problems))

    @property
    def next(self) -> list[next_steps.Next]:
        """What to do next, in order: the same in every form of the report."""
        given = next_steps.Arguments(self.options, self.paths)
        outcomes = self.result.outcomes
        return next_steps.next_steps(outcomes, given, self.written, self.repairs, self.is_seen)

    @property
    def verb(self) -> str:
        """What was, or would be, done to a file."""
        return summary.WRITTEN if self.written else summary.WOULD

    @property
    def shown(self) -> list[Outcome]:
        """What is told file by file: to who wants to know all, files that were not parsed, too."""
        plain = self.result.plain if self.verbose else ()
        told = [*self.result.outcomes, *(Outcome(each, skipped=PLAIN) for each in plain)]
        return sorted(told, key=attrgetter("target"))

    def names(self) -> Mapping[str, str]:
        """Names of rules by code, at least of those that apply."""
        looked = [each.migration for each in self.result.outcomes if each.changed]
        return codemods.names({due.code for each in looked if each for due in each.changing_rules})


def json_document(report: Report, exit_code: int) -> str:
    """The whole report as JSON."""
    from . import json as as_data
    from . import json_result

    names, result = report.names(), report.result
    files = [as_data.failure(problem) for problem in result.problems]
    files += [as_data.file(outcome, names, report.written) for outcome in result.outcomes]
    files.sort(key=_path)
    more = {
        **json_result.next_steps(report.next),
        **json_result.series(result.commits, result.branch),
        **json_result.baseline(result.compared),
        **json_result.warnings(result.warnings),
    }
    return as_data.document(report.command, files, report.total, exit_code, more)


def _path(file: dict[str, Any]) -> str:
    return str(file["path"])
