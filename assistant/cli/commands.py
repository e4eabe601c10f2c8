"""The command line: the commands there are, each imported when it is asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click

from distify import __version__

from .interrupts import interruptible

# In the order in which they are used; a hook that waits for one shouldn't wait for the others.
MODULES = {
    "migrate": "migrate",
    "check": "check",
    "undo": "commits",
    "verify": "verify",
    "race": "race",
    "memory": "memory",
    "launch-lines": "launch_lines",
    "doctor": "doctor",
    "config": "settings",
    "pr": "pr",
    "server": "server",
    "rules": "rules",
    "explain": "rules",
    "install-horovod": "install",
}
# What click raises from 8.2 on to show the help: no mistake that anything is said of.
NO_COMMAND = getattr(click.exceptions, "NoArgsIsHelpError", ())


class Commands(click.Group):
    """Finds commands by name, and suggests the one that a mistyped name is near to."""

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with _harmless():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with _harmless():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(MODULES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in MODULES:
            return None
        with interruptible():
            module = import_module(f".{MODULES[name]}", __package__)
            command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; raises UsageError, with a hint, for a word that is no command."""
        word = args[0] if args else ""
        if word not in MODULES and not word.startswith("-"):
            raise click.UsageError(f"there is no command {word!r}; {_hint(word)}", ctx)
        return super().resolve_command(ctx, args)


@contextlib.contextmanager
def _harmless() -> Iterator[None]:
    """What click says of mistakes repeats arguments and settings as they are."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error, NO_COMMAND):
            raise
        from ..report.escape import safe_lines

        raise click.UsageError(safe_lines(error.format_message()), error.ctx) from None


def _hint(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, MODULES, n=1)
    return f"did you mean {near[0]}?" if near else "`distify --help` lists them"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="distify %(version)s")
def distify() -> None:
    """Makes single-device TensorFlow training scripts train on many workers with Horovod.

    \b
    Start here:
      distify check                      what is there, what is in the way
      distify migrate --diff train.py    show the change, touch nothing
      distify migrate train.py           rewrite the file
      distify verify train.py            run it on two workers and judge it
      distify race train.py              what its graphs leave to chance
      distify memory train.py            what a step keeps, and what would fit
      distify doctor                     what is installed, what is missing
      distify explain D104               why a rule does what it does

    Your code is never imported, and only `verify`, `race` and `memory` run it.
    """
