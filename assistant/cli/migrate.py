"""`distify migrate`: what becomes of files, and the exit code.

Exit codes (architecture, "The command line"): 0 done or clean, 1 something is blocked or would
change, 2 something failed.
"""

from __future__ import annotations

import functools
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable

import click

from .. import interpreter
from ..files.choice import Choice
from ..files.outcome import Outcome
from ..files.result import Result, write
from ..report import tell
from ..report.next_steps import programs
from ..report.result_report import Report
from ..report.terminal import Terminal
from ..report.ways import way_of
from . import options
from .commits import Writer, with_commits
from .interactive import whose_batch, with_walk
from .interrupts import interruptible
from .paths import OfFiles, OverFiles, refuse_mixed_input, with_paths
from .reports import with_reports

if TYPE_CHECKING:
    from ..walk.answers import Answers


def with_output(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the option; the command's `writer` then writes into that folder.

    Returns the command, which raises UsageError for options that contradict it.
    """

    @functools.wraps(command)
    def wrapped(*, output_dir: str | None, **options: Any) -> None:
        if output_dir is not None:
            _refuse_others(output_dir, options)
            options["writer"] = functools.partial(_write, output_dir, options["paths"])
        command(**options)

    return click.option(
        "--output-dir",
        metavar="DIR",
        shell_complete=options.folders,
        help="Write the Python files to DIR, which is new or empty, laid out as they are here; "
        "change nothing here.",
    )(wrapped)


def _refuse_others(folder: str, options: dict[str, Any]) -> None:
    from ..files.elsewhere import is_free

    if options["diff"] or options["only_check"] or "-" in options["paths"]:
        raise click.UsageError("--output-dir writes files: not with --diff, --check or `-`")
    if options["writer"] is not write or options["recorded"] is not None:
        raise click.UsageError("--output-dir changes nothing here: not with --commit or -i")
    if not is_free(folder):
        raise click.UsageError(f"--output-dir: {folder} is there already, and not an empty folder")


def _write(folder: str, paths: tuple[str, ...], result: Result) -> Result:
    from ..files.elsewhere import write_elsewhere

    return write_elsewhere(folder, paths or (".",), result)


@dataclass(frozen=True)
class Given(OfFiles):
    """What the command line says; `recorded`: the answers of a walk, if one is asked for."""

    diff: bool
    only_check: bool
    proves: bool
    quiet: bool
    writer: Writer
    recorded: Answers | None

    @property
    def tells_repairs(self) -> bool:
        """Whether a person reads which repairs would help."""
        return not self.quiet

    @property
    def is_dry(self) -> bool:
        """Whether nothing is to be changed."""
        return self.diff or self.only_check

    @property
    def is_filter(self) -> bool:
        """Whether the result goes to standard output."""
        return "-" in self.paths and not self.is_dry

    @property
    def only_looks(self) -> bool:
        """Whether it is enough to know that something would change, without the texts."""
        return self.only_check and not self.diff and not self.reports.needs_texts(self.form)

    def refuse(self) -> None:
        """Raises UsageError for what can't be asked for at once."""
        refuse_mixed_input(self.paths, self.is_for_programs and not self.is_dry)
        if self.proves:
            refuse(self.is_dry, self.paths, isinstance(self.writer, functools.partial))


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
@options.given_as(Given)
def migrate(given: Given) -> None:
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
    given.refuse()
    terminal = Terminal(given.color)
    result, choice, is_left = _result_and_choice(given, terminal)
    report = given.report(terminal, result, choice)
    report = report._replace(command="migrate", written=not given.is_dry, is_seen=given.diff)
    code = tell.exit_code(result, findings_count=given.is_dry, fail_on=given.fail_on)
    code = max(code, int(is_left))
    code = max(code, given.reports.write(report, code))
    _tell(given, report, code)
    is_proved = given.proves and code < tell.FAILED
    sys.exit(max(code, verified(result.outcomes)) if is_proved else code)


def _result_and_choice(given: Given, terminal: Terminal) -> tuple[Result, Choice, bool]:
    """The result, the choice that it was made by, and whether a walk was left before its end."""
    walk = given.recorded
    may_remember = given.reports.may_remember(given.form, given.no_cache, walk is not None)
    choice = given.choice(may_remember, given.only_looks)
    with interruptible():
        result = given.look(choice, terminal)
        whose = whose_batch(walk, result, choice, terminal) if walk is not None else ""
        if whose:
            choice = choice.with_batch(whose)
            result = given.look(choice, terminal)
        if walk is None and not given.is_dry and not given.is_filter:
            result = given.writer(result)
    if walk is None:
        return result, choice, False
    result, is_left = _walk_through(result, walk, terminal, choice, given.writer)
    return result, choice, is_left


def _tell(given: Given, report: Report, code: int) -> None:
    """Show the report in the form that is asked for."""
    if given.is_filter:
        tell.filtered(report, _input_of(report.result), given.quiet)
    elif given.is_for_programs:
        tell.for_programs(report, given.form, given.statistics, code)
    elif given.diff:
        tell.as_diff(report, given.quiet)
    else:
        tell.as_text(report, quiet=given.quiet)


def _walk_through(
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


# -- `--verify`: what was written is run on two workers at once ----------------------------------


def refuse(dry: bool, paths: Sequence[str], is_elsewhere: bool) -> None:
    """Raises UsageError where nothing is written here that could be run."""
    if dry or "-" in paths or is_elsewhere:
        message = "--verify runs what was written: not with --diff, --check, --output-dir or `-`"
        raise click.UsageError(message)


def verified(outcomes: Sequence[Outcome]) -> int:
    """The highest exit code of `distify verify` on each program that was written; 0 without one."""
    ways = [way_of(each) for each in programs([each for each in outcomes if each.changed])]
    codes = [_run(way.above, way.script) for way in ways if way.can_be_proved]
    return max(codes, default=0)


def _run(folder: str, script: str) -> int:
    command = [*interpreter.command("distify.assistant.__main__", "main")]
    command += ["verify", *shlex.split(script), "-np", "2"]
    return subprocess.run(command, cwd=folder or None, check=False).returncode
