"""A command as a step of a workflow: its options, and what becomes of mistakes in them.

Nothing that is printed is a command to GitHub's runner, except for the annotations.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, Callable, TypeVar

import click

from ..files.taken_on import spelled
from ..report import actions
from ..report.lines import of_error
from ..report.terminal import Terminal

FAILED = 2
Command = TypeVar("Command", bound=Callable[..., Any])


class Step(click.Command):
    """A command whose options may be wrong in a workflow, too, where only annotations are seen."""

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with _annotate_usage():
            return super().make_context(*arguments, **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spelled(args))

    def invoke(self, ctx: click.Context) -> Any:
        with _annotate_usage():
            return super().invoke(ctx)


class Input(click.Option):
    """An option that the action sets by a variable, so that no shell ever reads a value."""

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Without the blanks around it, as GitHub's own actions read their inputs."""
        return (super().resolve_envvar_value(ctx) or "").strip() or None


def option(name: str, text: str, given: str = "", **more: Any) -> Callable[[Command], Command]:
    """The option `--name` and the variable of the input of that name, or of the one `given`."""
    words = given or name.strip("-").partition("/")[0]
    variable = "DISTIFY_PR_" + words.upper().replace("-", "_")
    return click.option(name, cls=Input, envvar=variable, help=text, **more)


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """In a workflow, nothing that is printed is a command, except for the annotations."""
    if not actions.running():
        yield
        return
    with actions.listening_to_nobody():
        yield


def refuse(error: Exception) -> Any:
    """Tells what went wrong, and ends."""
    Terminal().show(of_error(error), error=True)
    if actions.running():
        text = str(error) or type(error).__name__
        actions.later([actions.Annotation("error", "distify pr", text)])
    sys.exit(FAILED)


@contextlib.contextmanager
def _annotate_usage() -> Iterator[None]:
    """In a terminal, click tells it itself, with the usage."""
    try:
        yield
    except click.UsageError as error:
        if not actions.running():
            raise
        with guarded():
            refuse(click.ClickException(error.format_message()))
