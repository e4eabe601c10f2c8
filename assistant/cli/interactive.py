"""The options of `distify migrate --interactive`, and who can be asked."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING, Any, Callable

import click

from ..files import config
from ..files.config import BATCHES
from ..files.reader import NotRead
from ..report.keyboard import ask
from ..report.lines import Span
from . import options

if TYPE_CHECKING:
    from ..files.choice import Choice
    from ..files.result import Result
    from ..report.terminal import Terminal
    from ..walk.answers import Answers

OPTIONS = (
    click.option(
        "-i",
        "--interactive",
        is_flag=True,
        help="Walk through what is in the way, then through each rule, and ask.",
    ),
    click.option(
        "--answers",
        metavar="FILE",
        shell_complete=options.files,
        help="With --interactive: play back the answers in FILE, and record the others there.",
    ),
    click.option(
        "--resume", is_flag=True, help="With --interactive: go on with the walk that was left."
    ),
)
GROWING = frozenset({"D104", "D301"})
WHOSE = "Whose is a batch?"
BATCH_KEYS = {
    "w": "  w  each worker takes a whole batch, and the learning rate grows with the workers",
    "g": "  g  all together take the batch of one process, an Nth each; rate and steps stay",
}
NOBODY = (
    "there is no terminal to ask on: --answers FILE plays answers back, `distify check` tells "
    "what is there, and `distify migrate` by itself applies every rule"
)


def with_walk(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options; the command gets `recorded` answers, or None if it is not to ask."""

    @functools.wraps(command)
    def wrapped(*, interactive: bool, answers: str | None, resume: bool, **options: Any) -> None:
        if not interactive and (answers is not None or resume):
            option = "--resume" if answers is None else "--answers"
            raise click.UsageError(f"{option} is for the walk of --interactive")
        if interactive:
            _refuse_others(options)
        command(recorded=_earlier_answers(answers, resume) if interactive else None, **options)

    for option in reversed(OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def is_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def whose_batch(recorded: Answers, result: Result, choice: Choice, terminal: Terminal) -> str:
    """Whose a batch is to be, where the answer changes what is written; empty: as it is.

    Asked once, before all rules, where a rate is to grow and nobody has said it; kept as answers.
    """
    is_asked = not recorded.batch and is_terminal() and _grows(result)
    if choice.over.batch or not (recorded.batch or is_asked):
        return ""
    if not recorded.batch:
        terminal.show([(Span(WHOSE, "heading"),), *((Span(line),) for line in BATCH_KEYS.values())])
        try:
            key = ask(f"Which of them? [{','.join(BATCH_KEYS)}] ", [*BATCH_KEYS])
        except (KeyboardInterrupt, EOFError):
            return ""  # the walk is left at its first question, too
        recorded.choose(BATCHES[[*BATCH_KEYS].index(key)])
    return recorded.batch if recorded.batch != BATCHES[0] else ""


def _grows(result: Result) -> bool:
    """Whether a rule makes a rate larger in files whose settings don't say whose a batch is."""
    found = [each for each in result.outcomes if each.migration is not None]
    said = (config.settings(os.path.dirname(each.target.path)).batch for each in found)
    due = {due.code for each in found for due in each.migration.changing_rules}  # type: ignore[union-attr]
    return not any(said) and bool(due & GROWING)


def _refuse_others(options: dict[str, Any]) -> None:
    """Raises UsageError for options that leave nothing to ask, or nobody to answer."""
    if options["diff"] or options["only_check"]:
        raise click.UsageError("--diff and --check change nothing, so there is nothing to ask")
    if "-" in options["paths"] or options["form"] != "text":
        raise click.UsageError("--interactive asks a person: not with `-` or --format json")


def _earlier_answers(path: str | None, resume: bool) -> Answers:
    """The answers to go on with. Raises UsageError where nobody could answer the others."""
    if path is not None and resume:
        raise click.UsageError("--answers FILE goes on by itself: leave --resume out")
    from ..walk.answers import Answers, Session  # who isn't asked needs none of it

    try:
        if path is None:
            if not is_terminal():
                raise click.UsageError(NOBODY)
            return Session(is_new=not resume)
        if not is_terminal() and not os.path.exists(path):
            raise click.UsageError(f"{path} is not there; --interactive records it on a terminal")
        return Answers(path)
    except NotRead as error:
        raise click.UsageError(f"{path or 'the walk that was left'} {error}") from None
