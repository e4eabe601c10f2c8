"""Tells a result on the right stream: reports on standard output, failures on standard error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import codemods
from ..files import levels
from ..files.result import Result, problems
from . import causes, next_steps, summary, text
from .lines import Line, Span, wrapped
from .result_report import Report, json_document
from .terminal import Terminal

FAILED = 2  # the exit code
PLAIN = "no mention of training with TensorFlow or Keras"


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


def tell_problems(report: Report) -> None:
    """One line each, on standard error."""
    tell_warnings(report.terminal, report.result)
    report.terminal.show(map(text.problem_line, problems(report.result)), error=True)


def tell_warnings(terminal: Terminal, result: Result) -> None:
    """What was gone on without, one line each, on standard error."""
    terminal.show(map(text.warning_line, result.warnings), error=True)
