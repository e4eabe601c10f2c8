"""The options that every command over files has, and the files that they name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, TypeVar

import click

from .. import codemods
from ..files import levels
from ..files.choice import Choice, Over
from ..files.codes import UnknownCode
from ..files.config import ConfigProblem
from ..files.repaired import repaired
from ..files.result import Result, look, look_at_input
from ..files.taken_on import spelled, unsound_of
from ..report import targets, tell
from ..report.formats import NAMES as FORMATS
from ..report.result_report import Report
from ..report.terminal import Terminal
from . import options

if TYPE_CHECKING:
    from ..files.version_specifiers import Version
    from .reports import Reports

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class OfFiles:
    """What the command line says to every command over files, as click names it."""

    paths: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    repair: tuple[str, ...]
    unsound: tuple[str, ...]
    tensorflow: Version | None
    shard: str | None
    batch: str | None
    fail_on: str | None
    force_exclude: bool
    no_cache: bool
    jobs: int | None
    form: str
    statistics: bool
    verbose: bool
    color: str
    reports: Reports

    @property
    def tells_repairs(self) -> bool:
        """Whether a person reads which repairs would help."""
        return True

    @property
    def is_for_programs(self) -> bool:
        """Whether no person reads what goes to standard output."""
        return self.statistics or self.form != "text"

    def choice(self, may_remember: bool, only_look: bool = False) -> Choice:
        """What is to be done with files."""
        over = Over(self.tensorflow, self.shard, self.batch)
        leaves_out, taken_on = unsound_of(self.unsound)
        chosen = (self.select, self.ignore, only_look, leaves_out, self.repair)
        return Choice(*chosen, over, may_remember, taken_on)

    def look(self, choice: Choice, terminal: Terminal) -> Result:
        """The result of a look at the files. Raises UsageError for a choice that can't be."""
        try:
            if "-" in self.paths:
                return look_at_input(terminal.read(), choice)
            return look(self.paths or ["."], choice, terminal, self.force_exclude, self.jobs)
        except (UnknownCode, ConfigProblem, codemods.BadChoice) as error:
            raise click.UsageError(str(error)) from None

    def report(self, terminal: Terminal, result: Result, choice: Choice) -> Report:
        """What is told of a look, in which nothing was written."""
        is_told = self.tells_repairs and not self.statistics and "-" not in self.paths
        return Report(
            terminal,
            "check",
            result,
            written=False,
            verbose=self.verbose,
            paths=tell.meant(self.paths, result, self.force_exclude),
            options=choice.words,
            targets=targets.lines(result.outcomes, choice),
            proofs=self.reports.proofs,
            repairs=repaired(result.outcomes, choice) if is_told else {},
        )


class OverFiles(click.Command):
    """A command over files, of which `--unsound` takes a name only behind `=`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spelled(args))


def with_paths(command: Command) -> Command:
    """The arguments that every command over files has."""
    for decorate in (
        options.color,
        click.option("-v", "--verbose", is_flag=True, help="Tell about every file looked at."),
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json", *FORMATS]),
            default="text",
            help="For people (text, markdown, html), editors (concise), CI (github, gitlab, junit, "
            "sarif) and other programs (json).",
        ),
        click.option("--statistics", is_flag=True, help="Only count how often each code comes."),
        options.batch,
        options.shard,
        options.tensorflow,
        click.option(
            "--ignore",
            metavar="CODE",
            shell_complete=options.codes,
            multiple=True,
            help="Leave these rules out: D107, D2, a name, or a comma list. Can be repeated.",
        ),
        click.option(
            "--select",
            metavar="CODE",
            shell_complete=options.codes,
            multiple=True,
            help="Only these rules, and those they need. Can be repeated.",
        ),
        click.option(
            "--repair",
            metavar="CODE",
            shell_complete=options.codes,
            multiple=True,
            help="Repair what blocks a file, as the report offers it: A01, a comma list, or auto "
            "for all that change nothing for one worker. Can be repeated.",
        ),
        click.option(
            "--unsound",
            metavar="[=NAME]",
            multiple=True,
            help="Apply the chosen rules even to files that need others for a right result; with "
            "=NAME take on you what the judge can't prove: an obligation, or a comma list.",
        ),
        click.option(
            "--fail-on",
            type=click.Choice(levels.WORDS),
            metavar="LEVEL",
            help="Exit with 1 from this level on: error (blocked), warning (would change, too), "
            "never; unreadable: only 2, for what can't be read. Default: see the exit codes above.",
        ),
        click.option(
            "--force-exclude",
            is_flag=True,
            help="Leave out what the settings exclude even where it is named (for hooks).",
        ),
        click.option(
            "--no-cache",
            is_flag=True,
            help="Look at every file anew, and keep nothing in .distify_cache for the next run.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            metavar="N",
            help="So many processes share the files, if there are many. Default: one a core.",
        ),
        click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=options.files),
    ):
        command = decorate(command)
    return command


def refuse_mixed_input(paths: Sequence[str], is_document: bool) -> None:
    """Raises UsageError where `-` stands beside other paths, or beside a document."""
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("`-` is standard input, and can't be combined with other paths")
    if "-" in paths and is_document:
        raise click.UsageError("the result goes to standard output: a report there needs --check")
