"""`distify check --baseline FILE`: the options, and the result beside what is known."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any, Callable

import click

from ..files.result import Result
from . import options

OPTIONS = (
    click.option(
        "--baseline",
        metavar="FILE",
        shell_complete=options.files,
        help="Leave out the findings that this file knows, by content; only new ones count.",
    ),
    click.option(
        "--update-baseline",
        "update",
        is_flag=True,
        help="Write what is found now into it, and take out what is no longer found.",
    ),
)


def with_baseline(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options; the command gets `beside`, which takes what is known out of a result.

    Returns the command, which raises UsageError for options that contradict each other.
    """

    @functools.wraps(command)
    def wrapped(*, baseline: str | None, update: bool, **options: Any) -> None:
        chosen = bool(options["select"] or options["ignore"])
        if update and baseline is None:
            raise click.UsageError("--update-baseline needs --baseline FILE")
        if update and chosen:
            raise click.UsageError(
                "--update-baseline writes what all rules find: leave --select and --ignore out"
            )
        if baseline is not None and "-" in options["paths"]:
            raise click.UsageError("`-` is standard input, which no baseline knows by its name")
        command(beside=functools.partial(_beside, baseline, update, chosen), **options)

    for option in reversed(OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def _beside(path: str | None, update: bool, chosen: bool, result: Result) -> Result:
    """The result with what is new; the file is written first where that is asked for."""
    if path is None:
        return result
    from ..files import known_findings, new_findings

    try:
        known = known_findings.load(path)
        if update:
            known = new_findings.updated(result, path, known or Counter())
            known_findings.save(path, known)
    except known_findings.BaselineProblem as error:
        raise click.UsageError(str(error)) from None
    if known is None:
        raise click.UsageError(f"{path}: no such file; --update-baseline makes it")
    seen = new_findings.compared(result, path, known)
    return new_findings.without_gone(seen) if chosen else seen
