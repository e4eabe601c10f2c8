"""The options that several commands have, each said once."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

import click

from ..files.version_specifiers import Version

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _version(_: click.Context, __: click.Parameter, value: str | None) -> Version | None:
    """`2.15`, or with more behind it, as major and minor."""
    if value is None:
        return None
    found = re.fullmatch(r"(\d{1,6})\.(\d{1,6})(\.\w{1,20}){0,3}", value)
    if found is None:
        raise click.BadParameter(f"{value!r:.60} is no version such as 2.15")
    return int(found[1]), int(found[2])


def _pages_or_data(
    _: click.Context, __: click.Parameter, values: tuple[Path, ...]
) -> tuple[Path, ...]:
    for value in values:
        if value.suffix.lower() not in (".html", ".json"):
            raise click.BadParameter(f"{value.name:.200} is neither a page, .html, nor .json")
        _refuse_without_folder(value)
    return values


def _picture(_: click.Context, __: click.Parameter, value: Path | None) -> Path | None:
    if value is not None:
        _refuse_without_folder(value)
    return value


def _refuse_without_folder(path: Path) -> None:
    """Before the program runs: what could only fail behind it would be lost."""
    if not path.parent.is_dir():
        text = f"{path!s:.200} can't be written: there is no folder {path.parent!s:.200}"
        raise click.BadParameter(text)


def _numbers(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, ...]:
    """`2`, or `1,2,4`; the largest is that of the job that is judged."""
    try:
        found = sorted({int(each) for each in value.split(",")} if value else ())
    except ValueError:
        found = [0]
    if found and not (found[0] >= 1 and 2 <= found[-1] <= 100_000):
        raise click.BadParameter(f"{value!r:.60} is neither a number from 2 on nor several: 1,2,4")
    return tuple(found)


def codes(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """What completes a code or a comma list of codes, for the shell."""
    from .. import codemods

    done, comma, begun = incomplete.rpartition(",")
    known = (code for code in codemods.titles() if code.startswith(begun.upper()))
    return [f"{done}{comma}{code}" for code in known]


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Lets the shell complete the name of a file or folder; click refuses none, as its type would.

    Without it no name at all is completed: who asks click for words gets none of the shell's own.
    """
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def folders(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The same of folders alone."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def given_as(record: Callable[..., Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Lets a command take all of its options as one record of that type."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def wrapped(**options: Any) -> None:
            command(record(**options))

        return wrapped

    return decorate


color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colours; auto: on a terminal only (NO_COLOR and FORCE_COLOR are respected).",
)
text_or_json = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="For people or for programs.",
)
python = click.option(
    "--python",
    metavar="PATH",
    shell_complete=files,
    help="The Python that has TensorFlow and Horovod.",
)
tensorflow = click.option(
    "--tensorflow",
    metavar="VERSION",
    callback=_version,
    help="The TensorFlow to write for. Default: that of settings, requirements or the environment, "
    "else 2.15.",
)
shard = click.option(
    "--shard",
    type=click.Choice(["auto", "none"]),
    help="Give each worker its own share of the data (auto, the default), or all of it (none).",
)
batch = click.option(
    "--batch",
    type=click.Choice(["worker", "global"]),
    help="Each worker takes a whole batch, at a larger rate (worker, the default), or an Nth of "
    "every batch, at the rate of one process (global).",
)
report_of_a_run = click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    multiple=True,
    callback=_pages_or_data,
    help="Write the report there, too: a page (.html), or for programs (.json). Can be repeated.",
)
force_report = click.option(
    "--force-report",
    is_flag=True,
    help="Write reports into links and pipes, too, which are refused otherwise.",
)
plot = click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE.svg",
    callback=_picture,
    help="Draw the loss there.",
)
form_of_a_run = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    help="For people (text, html) or for programs (json).",
)
workers = click.option(
    "-np",
    "workers",
    metavar="N[,N…]",
    callback=_numbers,
    help="Workers, 2 or more. [default: 2] Of several, as 1,2,4, the largest job is judged, and "
    "the examples a second of each are measured.",
)
