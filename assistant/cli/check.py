"""`distify check`: what would become of files and what is in the way; nothing is changed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Callable

import click

from ..files.choice import Choice, Over
from ..files.repaired import repaired
from ..files.result import Result
from ..files.taken_on import unsound_of
from ..report import targets, tell
from ..report.terminal import Terminal
from .baseline import with_baseline
from .interrupts import interruptible
from .paths import OverFiles, look_at, refuse_mixed_input, with_paths
from .reports import Reports, with_reports

if TYPE_CHECKING:
    from ..files.versions import Version


@click.command(cls=OverFiles, short_help="Tell what would change and what is in the way.")
@with_paths
@with_reports
@with_baseline
def check(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    repair: tuple[str, ...],
    unsound: tuple[str, ...],
    tensorflow: Version | None,
    shard: str | None,
    batch: str | None,
    fail_on: str | None,
    force_exclude: bool,
    no_cache: bool,
    jobs: int | None,
    form: str,
    statistics: bool,
    verbose: bool,
    color: str,
    beside: Callable[[Result], Result],
    reports: Reports,
) -> None:
    """Tell what is there: how each script trains, what would change, what is in the way.

    Nothing is changed, imported or run. PATHs are taken as by `distify migrate`.

    \b
    Examples:
      distify check                          every script below this folder
      distify check --format json train.py   for programs, see docs/json.md
      distify check --report out.html        a page with every diff
      distify check --fail-on error          for CI: 1 if something is blocked
      distify check --baseline known.json    1 only if there is anything new
      git show HEAD:train.py | distify check -

    \b
    Exit code:
      0  nothing to do
      1  something would change or is blocked; --fail-on says otherwise
      2  something could not be read or parsed
    """
    refuse_mixed_input(paths, False)
    over, terminal = Over(tensorflow, shard, batch), Terminal(color)
    may_remember = reports.may_remember(form, no_cache)
    leaves_out, taken_on = unsound_of(unsound)
    choice = Choice(select, ignore, False, leaves_out, repair, over, may_remember, taken_on)
    with interruptible():
        result = beside(look_at(paths, choice, terminal, force_exclude, jobs))
    named = tell.meant(paths, result, force_exclude)
    why = targets.lines(result.outcomes, choice)
    repairs = {} if statistics or "-" in paths else repaired(result.outcomes, choice)
    told = (named, choice.words, why, reports.proofs, repairs)
    report = tell.Report(terminal, "check", result, False, verbose, *told)
    code = tell.exit_code(result, findings_count=True, fail_on=fail_on)
    code = max(code, reports.write(report, code))
    if statistics or form != "text":
        tell.for_programs(report, form, statistics, code)
    else:
        tell.as_text(report, quiet=False)
    sys.exit(code)
