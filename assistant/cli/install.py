"""`distify install-horovod`: a Horovod that works with the TensorFlow that is installed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from .. import install_horovod as building
from ..report.lines import Span
from ..report.terminal import Terminal
from . import options


@click.command("install-horovod", short_help="Build Horovod for the TensorFlow that is installed.")
@click.option(
    "--python",
    metavar="PATH",
    shell_complete=options.files,
    help="The Python that has TensorFlow; else the one on PATH.",
)
@click.option("--dry-run", is_flag=True, help="Show the commands and run none.")
@click.option("--yes", "-y", is_flag=True, help="Don't ask before the commands are run.")
def install_horovod(python: str | None, dry_run: bool, yes: bool) -> None:
    """Build Horovod 0.28.1 for the TensorFlow that is installed, Keras 3 included, and check it.

    Shows the commands first. The check has two workers average a number. A C++ compiler is needed,
    and five to ten minutes; nothing else is changed.

    \b
    Exit codes: 0 it works, 2 it could not be built, or does not.
    """
    terminal = Terminal()
    path = os.path.abspath(python or shutil.which("python") or sys.executable)
    for step in building.steps(path, Path("FOLDER")):
        terminal.show([(Span(f"# {step.purpose}", "dim"),)])
        terminal.show((Span(line),) for line in step.shown().splitlines())
    if dry_run or not (yes or click.confirm("Run these commands?")):
        return
    try:
        building.install(path)
    except building.InstallProblem as problem:
        raise click.UsageError(str(problem)) from None
