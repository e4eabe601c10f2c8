"""`distify migrate --output-dir`: the option, and what it can't stand beside."""

from __future__ import annotations

import functools
from typing import Any, Callable

import click

from ..files.result import Result, write
from . import options


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
