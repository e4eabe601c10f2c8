"""`distify migrate --commit` and `distify undo`: the options, and what a person is told."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable, NoReturn

import click

from ..files import originals
from ..files.result import Result, refuse_unwritable, write
from ..report.lines import Line, Span, of_error, plural
from ..report.terminal import Activity, Terminal
from . import options

if TYPE_CHECKING:
    from ..git.undo import Undone

FAILED, INTERRUPTED = 2, 130
Writer = Callable[[Result], Result]
OPTIONS = (
    click.option(
        "--commit", is_flag=True, help="Make one git commit per rule; `distify undo` takes it back."
    ),
    click.option("--branch", metavar="NAME", help="With --commit: on a new branch, not this one."),
    click.option(
        "--no-verify",
        is_flag=True,
        help="With --commit: without the pre-commit and commit-msg hooks, as in git.",
    ),
)


def with_commits(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options; the command gets a `writer`, which writes what changed or commits it.

    Returns the command, which raises UsageError for options that contradict each other.
    """

    @functools.wraps(command)
    def wrapped(*, commit: bool, branch: str | None, no_verify: bool, **options: Any) -> None:
        if not commit and (branch is not None or no_verify):
            option = "--no-verify" if branch is None else "--branch"
            raise click.UsageError(f"{option} is for the commits of --commit")
        if commit and (options["diff"] or options["only_check"]):
            raise click.UsageError("--diff and --check change nothing, so there is no --commit")
        if commit and "-" in options["paths"]:
            raise click.UsageError("`-` is standard input, which is in no repository")
        if commit:
            _mend(options["paths"])
        writer = functools.partial(_commit, branch, not no_verify) if commit else write
        command(writer=writer, **options)

    for option in reversed(OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def _mend(paths: Sequence[str]) -> None:
    """Ends what a killed run left, before files are looked at that it may have half written."""
    from ..git import history

    try:
        history.mend(paths or (".",))
    except (history.Refused, OSError) as error:
        _refuse(error)


def _commit(branch: str | None, verify: bool, result: Result) -> Result:
    """The result with its commits; ends the program where git stands in the way."""
    result = result._replace(outcomes=refuse_unwritable(result.outcomes))
    if not any(outcome.changed for outcome in result.outcomes):
        return result
    from ..git import history

    try:
        with Activity() as tell:
            series = history.commit(result.outcomes, branch, verify, tell)
    except (history.Refused, OSError) as error:
        _refuse(error)
    originals.forget()
    return result._replace(commits=tuple(series.commits), branch=series.branch)


def _refuse(error: Exception) -> NoReturn:
    Terminal().show(of_error(error), error=True)
    sys.exit(FAILED)


@click.command(short_help="Take back what the last `distify migrate` did.")
@options.color
def undo(color: str) -> None:
    """Take back what the last `distify migrate` did, here or on this branch.

    Where it made no commits, its files get back what they held, byte for byte: the originals are
    kept in your state folder, until the next run in this project. Nothing is done if one of them
    has changed since.

    Of `distify migrate --commit` the branch goes back to where it was, and the files to what they
    held. If the series went to a branch of its own, the one before is checked out again, and the
    new one is deleted. Other uncommitted work stays as it is.

    Nothing is done if somebody has committed on top of the series, or if one of its files has
    changed since; then `git revert` takes single rules back.

    \b
    Exit code:
      0  done
      2  nothing was done, and the message says why
    """
    try:
        undone = _put_back() or [_undone_line(_taken_back())]
    except KeyboardInterrupt:
        Terminal().say("interrupted; `git log` shows whether the series is still there")
        sys.exit(INTERRUPTED)
    Terminal(color).show(undone)


def _put_back() -> list[Line]:
    """What is told of files that got back what they held; nothing where commits have to be asked.

    Where they have changed since and there are no commits either, that ends the program.
    """
    from ..files.writes import WriteFailed

    try:
        found = originals.kept()
        names = originals.put_back(found) if found else []
    except originals.NoOriginals as changed:
        return _commits_or(changed)
    except WriteFailed as failure:
        _refuse(OSError(f"{failure.path} {failure.cause}"))
    return [(Span(name, "name"), Span(": put back as it was", "changed")) for name in names]


def _commits_or(changed: Exception) -> list[Line]:
    """What is told of commits that were taken back; without any, why files can't be put back."""
    from ..git.command import Refused
    from ..git.undo import undo

    try:
        return [_undone_line(undo(os.getcwd()))]
    except (Refused, OSError):
        _refuse(changed)


def _taken_back() -> Undone:
    from ..git.command import Refused
    from ..git.undo import undo

    try:
        return undo(os.getcwd())
    except (Refused, OSError) as error:
        _refuse(error)


def _undone_line(undone: Undone) -> Line:
    what = f"{plural(undone.commits, 'commit')} of {undone.branch} taken back"
    rest = ""
    if undone.deleted:
        rest = f"; {undone.branch} is deleted, {undone.now} is checked out"
    elif undone.now != undone.branch:
        way = f"`git branch -D {undone.branch}`"
        rest = f"; {undone.now} is checked out, but {undone.branch} could not be deleted ({way})"
    return (Span(what, "changed"), Span(f"{rest}."))
