"""`distify migrate`: what becomes of files, and the exit code.

Exit codes (architecture, "The command line"): 0 done or clean, 1 something is blocked or would
change, 2 something failed.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING

import click

from ..files.choice import Choice, Over
from ..files.repaired import repaired
from ..files.result import Result
from ..files.taken_on import unsound_of
from ..report import targets, tell
from ..report.terminal import Terminal
from .commits import Writer, with_commits
from .interactive import whose_batch, with_walk
from .interrupts import interruptible
from .output import with_output
from .paths import OverFiles, look_at, refuse_mixed_input, with_paths
from .reports import Reports, with_reports
from .then_verify import refuse, verified

if TYPE_CHECKING:
    from ..files.versions import Version
    from ..walk.answers import Answers


@click.command(cls=OverFiles)
@click.option("--diff", is_flag=True, help="Show what would change; change nothing.")
@click.option("--check", "only_check", is_flag=True, help="Only tell what would change.")
@click.option(
    "--verify", "proves", is_flag=True, help="Then run `distify verify` on what was written."
)
@click.option("-q", "--quiet", is_flag=True, help="Tell only what is blocked or failed.")
@with_paths
@with_reports
@with_walk
@with_commits
@with_output
def migrate(
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
    diff: bool,
    only_check: bool,
    proves: bool,
    quiet: bool,
    writer: Writer,
    recorded: Answers | None,
    reports: Reports,
) -> None:
    """Rewrite training scripts for Horovod, in place.

    PATHs are files and folders (default: the current folder). In folders every script and notebook
    is taken that git does not ignore; files that you name are always taken. A file that can't be
    migrated safely is left as it was, and the report says why; one that can't be read, parsed or
    written to is named and left out. The others are written all, or, if writing fails, none is.

    With --commit the files must be as they were committed last. Git then gets one commit per rule,
    built beside the files: commits, branch and files change together at the end, or, if anything
    fails, nothing does.

    With --interactive each reason that is in the way and each rule is shown, with its lines, and
    you are asked; files that change together are written as soon as all is answered about them,
    and quitting loses nothing. Rules that the result needs can't be left out one by one: you are
    told what falls away.

    \b
    Examples:
      distify migrate train.py              rewrite one script
      distify migrate --diff src | less     read the change first
      distify migrate --check .             for CI: 1 if anything would change
      distify migrate -i train.py           ask about every rule
      distify migrate --commit src          one git commit per rule
      distify migrate --output-dir out src  leave src as it is, write to out
      distify migrate --ignore D303 a.py    every worker draws its progress bars
      distify migrate --verify train.py     rewrite it, then prove it
      distify migrate --repair auto a.py    repair first, where that is safe
      distify migrate - < old.py > new.py   a filter; reports on standard error

    \b
    Exit code:
      0  done
      1  something is blocked (with --diff and --check: or would change);
         --fail-on says otherwise
      2  something could not be read, parsed or written; git can't commit
    """
    dry = diff or only_check
    refuse_mixed_input(paths, (statistics or form != "text") and not dry)
    filtering = "-" in paths and not dry
    if proves:
        refuse(dry, paths, isinstance(writer, functools.partial))
    # Who only asks whether something would change doesn't wait for the texts.
    only_look = only_check and not diff and not reports.needs_texts(form)
    over = Over(tensorflow, shard, batch)
    may_remember = reports.may_remember(form, no_cache, recorded is not None)
    leaves_out, taken_on = unsound_of(unsound)
    choice = Choice(select, ignore, only_look, leaves_out, repair, over, may_remember, taken_on)
    terminal = Terminal(color)
    with interruptible():
        result = look_at(paths, choice, terminal, force_exclude, jobs)
        whose = whose_batch(recorded, result, choice, terminal) if recorded is not None else ""
        if whose:
            choice = choice.with_batch(whose)
            result = look_at(paths, choice, terminal, force_exclude, jobs)
        if recorded is None and not dry and not filtering:
            result = writer(result)
    is_left = False
    if recorded is not None:
        result, is_left = _walked(result, recorded, terminal, choice, writer)
    named = tell.meant(paths, result, force_exclude)
    why = targets.lines(result.outcomes, choice)
    repairs = {} if quiet or statistics or "-" in paths else repaired(result.outcomes, choice)
    told = (named, choice.words, why, reports.proofs, repairs)
    report = tell.Report(terminal, "migrate", result, not dry, verbose, *told, diff)
    code = tell.exit_code(result, findings_count=dry, fail_on=fail_on)
    code = max(code, int(is_left))
    code = max(code, reports.write(report, code))
    if filtering:
        tell.filtered(report, _input_of(result), quiet)
    elif statistics or form != "text":
        tell.for_programs(report, form, statistics, code)
    elif diff:
        tell.as_diff(report, quiet)
    else:
        tell.as_text(report, quiet=quiet)
    sys.exit(max(code, verified(result.outcomes)) if proves and code < tell.FAILED else code)


def _walked(
    result: Result, recorded: Answers, terminal: Terminal, choice: Choice, writer: Writer
) -> tuple[Result, bool]:
    """The result of the walk, and whether it was left before its end."""
    from ..files.result import write
    from .walker import Walker

    walker = Walker(recorded, terminal, choice, is_held=writer is not write)
    result = walker(result)
    return (writer(result) if walker.is_held else result), walker.is_left


def _input_of(result: Result) -> bytes:
    """What goes out of the filter: the result, or what came in where there is none."""
    (outcome,) = result.outcomes
    return outcome.after if outcome.changed and outcome.after is not None else result.data
