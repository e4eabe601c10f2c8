"""`distify check`: what would become of files and what is in the way; nothing is changed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Callable

import click

from ..files.result import Result
from ..report import tell
from ..report.terminal import Terminal
from . import options
from .baseline import with_baseline
from .interrupts import interruptible
from .paths import OfFiles, OverFiles, refuse_mixed_input, with_paths
from .reports import with_reports


@dataclass(frozen=True)
class Given(OfFiles):
    """What the command line says; `beside` takes what is known out of a result."""

    beside: Callable[[Result], Result]


@click.command(cls=OverFiles, short_help="Tell what would change and what is in the way.")
@with_paths
@with_reports
@with_baseline
@options.given_as(Given)
def check(given: Given) -> None:
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
    refuse_mixed_input(given.paths, False)
    terminal = Terminal(given.color)
    choice = given.choice(given.reports.may_remember(given.form, given.no_cache))
    with interruptible():
        result = given.beside(given.look(choice, terminal))
    report = given.report(terminal, result, choice)
    code = tell.exit_code(result, findings_count=True, fail_on=given.fail_on)
    code = max(code, given.reports.write(report, code))
    if given.is_for_programs:
        tell.for_programs(report, given.form, given.statistics, code)
    else:
        tell.as_text(report, quiet=False)
    sys.exit(code)
