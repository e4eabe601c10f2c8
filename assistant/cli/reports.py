"""`--report FILE` and `--verified FILE`: reports beside what is shown, and what goes in."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

import click

from ..report.formats import BY_SUFFIX, WITH_TEXTS
from . import options

if TYPE_CHECKING:
    from ..report.result_report import Report

FAILED = 2
LONGEST = 64 << 20  # bytes of a report of `verify`; longer ones are none of ours


class Reports(NamedTuple):
    """The files that reports go to, and what `verify` said, which a page shows."""

    files: Sequence[str] = ()
    proofs: Sequence[Any] = ()
    forced: bool = False  # into links and pipes, too

    def needs_texts(self, form: str) -> bool:
        """Whether any report shows what files would become, and not only that they would change."""
        forms = {form, *(BY_SUFFIX[suffix_of(each)] for each in self.files)}
        return bool(forms & WITH_TEXTS)

    def may_remember(self, form: str, no_cache: bool, is_walk: bool = False) -> bool:
        """Whether an answer of an earlier run will do: none holds the text behind a repair.

        A walk shows that text, and writes it.
        """
        return not (no_cache or is_walk or self.needs_texts(form))

    def write(self, report: Report, exit_code: int) -> int:
        """Writes each file; returns 2, and says why, where one can't be written, else 0."""
        from ..files.saved import NotSaved, put
        from ..report import formats

        for name in self.files:
            text = formats.any_document(BY_SUFFIX[suffix_of(name)], report, exit_code)
            try:
                put(name, text.encode("utf-8", "backslashreplace"), forced=self.forced)
            except NotSaved as error:
                report.terminal.say(f"error: {name} was not written: {error}")
                return FAILED
        return 0


def suffix_of(name: str) -> str:
    """The end of a name, in small letters."""
    return Path(name).suffix.lower()


def with_reports(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options: the command is given `reports`. Raises UsageError for files of no use."""

    @functools.wraps(command)
    def wrapped(
        *, report: tuple[str, ...], verified: tuple[str, ...], force_report: bool, **options: Any
    ) -> None:
        if verified and options["form"] != "html" and ".html" not in map(suffix_of, report):
            raise click.UsageError(
                "--verified is for a page: with --format html or --report X.html"
            )
        reports = Reports(report, tuple(map(_proof, verified)), force_report)
        command(reports=reports, **options)

    files = click.option(
        "--report",
        metavar="FILE",
        shell_complete=options.files,
        multiple=True,
        callback=_checked_names,
        help="Write the report there, too; the name says what: .html (a page with diffs), .json, "
        ".sarif, .xml (JUnit), .md. Can be repeated.",
    )
    proofs = click.option(
        "--verified",
        metavar="FILE",
        shell_complete=options.files,
        multiple=True,
        help="What `distify verify --report FILE.json` wrote, for the page. Can be repeated.",
    )
    return files(options.force_report(proofs(wrapped)))


def _checked_names(
    _: click.Context, __: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    for name in names:
        if suffix_of(name) not in BY_SUFFIX:
            known = ", ".join(BY_SUFFIX)
            raise click.BadParameter(f"{name!r:.200} ends with none of {known}")
    return names


def _proof(name: str) -> Any:
    """The report in a file. Raises UsageError where it is none, or can't be read."""
    from ..files.reader import NotRead, read
    from ..report.page.proof import NoProof
    from ..report.page.whole_page import of_proof

    try:
        said = json.loads(read(name, LONGEST))
        of_proof(said)
    except NotRead as error:
        raise click.UsageError(f"--verified {name}: {error}") from None
    except OSError as error:
        raise click.UsageError(f"--verified {name}: {error.strerror or error}") from None
    except (NoProof, ValueError, RecursionError):
        message = f"--verified {name}: no report of `distify verify --format json`"
        raise click.UsageError(message) from None
    return said
