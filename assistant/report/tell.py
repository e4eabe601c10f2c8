"""Tells a result on the right stream: reports on standard output, failures on standard error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from distify.codemods.program.records import NamedTuple

from .. import codemods
from ..files import levels
from ..files.outcome import Outcome
from ..files.repaired import Repaired
from ..files.result import Result, problems
from . import causes, next_steps, summary, text
from .lines import Line, Span, wrapped
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
        return codemods.names({due.code for each in looked if each for due in each.due})


def meant(paths: Sequence[str], result: Result, force_exclude: bool) -> Sequence[str]:
    """The paths for the command to try next, without those that the settings left out."""
    return [o.name for o in result.outcomes if o.changed] if force_exclude else paths


def exit_code(result: Result, *, findings_count: bool, fail_on: str | None = None) -> int:
    """0 done or clean, 1 something is blocked (or was found), 2 something failed.

    `fail_on` is a level that was asked for; what was written is no finding.
    """
    level = fail_on or (levels.WARNING if findings_count else levels.ERROR)
    return levels.exit_code(result.outcomes, result.failed, level, findings_count)


def as_text(report: Report, *, quiet: bool, error: bool = False) -> None:
    """Paragraphs, the count, and what to try next."""
    tell_problems(report)
    if quiet:
        report.terminal.show(text.short_lines(report.result.outcomes), error=True)
    else:
        report.terminal.show(_paragraphs(report, error), error=error)


def _paragraphs(report: Report, error: bool) -> Iterator[Line]:
    style = text.Style(report.verb, report.terminal.width(error=error), report.verbose)
    yield from causes.first(report.result.outcomes, style.width)
    yield from text.files(report.shown, report.names(), style)
    if not report.result.searched and not report.result.problems:
        yield (Span("No Python files found."),)
        return
    yield summary.sentence(report.total, report.verb)
    for told in _foreign(report):
        yield from wrapped((), told, style.width)
    for line in report.targets:
        yield from wrapped((), line, style.width)
    yield from summary.baseline(report.result.compared)
    yield from summary.series(report.result.commits, report.result.branch)
    if report.written:
        yield from _meaning(report)
    yield from next_steps.lines(report.next, report.terminal.width(error=error))


def _foreign(report: Report) -> Iterator[str]:
    """What trains here instead, where nothing is found that distify is for."""
    result = report.result
    if not result.problems and not any(each.changed or each.blocked for each in result.outcomes):
        from ..files.foreign import framework, sentence

        plain = (each.path for each in result.plain)
        paths = [each.target.path for each in result.outcomes if not each.problem]
        found = framework(path for path in (*paths, *plain) if path)
        if found is not None:
            yield sentence(found)


def _meaning(report: Report) -> Iterator[Line]:
    """What the first program that was written means with many workers."""
    changed = [outcome for outcome in report.result.outcomes if outcome.changed]
    first = next(iter(next_steps.programs(changed)), None)
    if first is not None and "-" not in report.paths:
        from .many_workers import meaning  # who only looks waits for no syntax tree

        yield from meaning(first)


def as_diff(report: Report, quiet: bool) -> None:
    """The diffs on standard output, alone there, so that they can be applied; the rest beside."""
    from . import diff

    why = {} if quiet else {rule.code: rule for rule in codemods.changes()}
    for outcome in report.result.outcomes:
        if not outcome.changed:
            continue
        if report.terminal.colors() or report.terminal.is_watched():
            report.terminal.show(diff.colored(outcome, why))
        else:
            report.terminal.write(b"".join(diff.unified(outcome, why)))
    as_text(report, quiet=quiet, error=True)


def filtered(report: Report, data: bytes, quiet: bool) -> None:
    """The result of a filter on standard output, the report beside it."""
    report.terminal.write(data)
    as_text(report, quiet=quiet, error=True)


def as_json(report: Report, exit_code: int) -> None:
    """One document on standard output; failures are on standard error as well."""
    tell_problems(report)
    report.terminal.write(json_document(report, exit_code).encode("ascii"))


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


def as_document(report: Report, form: str) -> None:
    """A report in one of the formats for other programs; failures are on standard error as well."""
    from . import formats

    tell_problems(report)
    report.terminal.write(formats.document(form, report).encode("utf-8", "backslashreplace"))


def for_programs(report: Report, form: str, statistics: bool, code: int) -> None:
    """What is no text for people: the counts, or a document with the exit code."""
    if statistics:
        as_statistics(report)
    elif form == "json":
        as_json(report, code)
    else:
        as_document(report, form)


def as_statistics(report: Report) -> None:
    """How often each code comes, the most frequent first."""
    from . import remarks

    tell_problems(report)
    names = codemods.names({each.code for each in codemods.rules()})
    for code, count in remarks.statistics(remarks.of(report)):
        name = Span(f"  {names[code]}") if code in names else Span("")
        report.terminal.show([(Span(f"{count:>6}  "), Span(code, "code"), name)])
    report.terminal.show([summary.sentence(report.total, report.verb)])


def _path(file: dict[str, Any]) -> str:
    return str(file["path"])


def tell_problems(report: Report) -> None:
    """One line each, on standard error."""
    tell_warnings(report.terminal, report.result)
    report.terminal.show(map(text.problem_line, problems(report.result)), error=True)


def tell_warnings(terminal: Terminal, result: Result) -> None:
    """What was gone on without, one line each, on standard error."""
    terminal.show(map(text.warning_line, result.warnings), error=True)
