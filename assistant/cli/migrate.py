"""`distify migrate` and `distify check`: what becomes of files, and the exit code.

Exit codes (architecture, "The command line"): 0 done or clean, 1 something is blocked or would
change, 2 something failed.
"""

from __future__ import annotations

import sys
from typing import Callable

import click

from ..files.choice import Choice
from ..files.result import Result
from ..report import tell
from ..report.terminal import Terminal
from .baseline import with_baseline
from .commits import Writer, with_commits
from .interrupts import interruptible
from .paths import look_at, refuse_mixed_input, with_paths


@click.command()
@click.option("--diff", is_flag=True, help="Show what would change; change nothing.")
@click.option("--check", "only_check", is_flag=True, help="Only tell what would change.")
@click.option("-q", "--quiet", is_flag=True, help="Tell only what is blocked or failed.")
@with_paths
@with_commits
def migrate(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    unsound: bool,
    fail_on: str | None,
    force_exclude: bool,
    jobs: int | None,
    form: str,
    verbose: bool,
    color: str,
    diff: bool,
    only_check: bool,
    quiet: bool,
    writer: Writer,
) -> None:
    """Rewrite training scripts for Horovod, in place.

    PATHs are files and folders (default: the current folder). In folders every Python file is
    taken that git does not ignore; files that you name are always taken. A file that can't be
    migrated safely is left as it was, and the report says why; one that can't be read, parsed or
    written to is named and left out. The others are written all, or, if writing fails, none is.

    With --commit the files must be as they were committed last. Git then gets one commit per rule,
    built beside the files: commits, branch and files change together at the end, or, if anything
    fails, nothing does.

    \b
    Examples:
      distify migrate train.py              rewrite one script
      distify migrate --diff src | less     read the change first
      distify migrate --check .             for CI: 1 if anything would change
      distify migrate --commit src          one git commit per rule
      distify migrate --ignore D303 a.py    every worker draws its progress bars
      distify migrate - < old.py > new.py   a filter; reports on standard error

    \b
    Exit code:
      0  done
      1  something is blocked (with --diff and --check: or would change);
         --fail-on says otherwise
      2  something could not be read, parsed or written; git can't commit
    """
    dry = diff or only_check
    refuse_mixed_input(paths, form == "json" and not dry)
    filtering = "-" in paths and not dry
    # Who only asks whether something would change doesn't wait for the texts.
    choice = Choice(select, ignore, only_look=only_check and not diff, unsound=unsound)
    terminal = Terminal(color)
    with interruptible():
        result = look_at(paths, choice, terminal, force_exclude, jobs)
        if not dry and not filtering:
            result = writer(result)
    named = tell.meant(paths, result, force_exclude)
    report = tell.Report(terminal, "migrate", result, not dry, verbose, named, choice.words)
    code = tell.exit_code(result, findings_count=dry, fail_on=fail_on)
    if filtering:
        tell.filtered(report, _input_of(result), quiet)
    elif form == "json":
        tell.as_json(report, code)
    elif diff:
        tell.as_diff(report, quiet)
    else:
        tell.as_text(report, quiet=quiet)
    sys.exit(code)


@click.command(short_help="Tell what would change and what is in the way.")
@with_paths
@with_baseline
def check(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    unsound: bool,
    fail_on: str | None,
    force_exclude: bool,
    jobs: int | None,
    form: str,
    verbose: bool,
    color: str,
    beside: Callable[[Result], Result],
) -> None:
    """Tell what is there: how each script trains, what would change, what is in the way.

    Nothing is changed, imported or run. PATHs are taken as by `distify migrate`.

    \b
    Examples:
      distify check                          every script below this folder
      distify check --format json train.py   for programs, see docs/json.md
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
    choice, terminal = Choice(select, ignore, unsound=unsound), Terminal(color)
    with interruptible():
        result = beside(look_at(paths, choice, terminal, force_exclude, jobs))
    named = tell.meant(paths, result, force_exclude)
    report = tell.Report(terminal, "check", result, False, verbose, named, choice.words)
    code = tell.exit_code(result, findings_count=True, fail_on=fail_on)
    if form == "json":
        tell.as_json(report, code)
    else:
        tell.as_text(report, quiet=False)
    sys.exit(code)


def _input_of(result: Result) -> bytes:
    """What goes out of the filter: the result, or what came in where there is none."""
    (outcome,) = result.outcomes
    return outcome.after if outcome.changed and outcome.after is not None else result.data
