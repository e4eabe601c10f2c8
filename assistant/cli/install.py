"""`distify install-horovod`: a Horovod that works with the TensorFlow that is installed."""

from __future__ import annotations

import os
from pathlib import Path

import click

from .. import install_horovod as building
from ..report.lines import Span
from ..report.terminal import Terminal
from . import options

# https://packaging.python.org/en/latest/specifications/externally-managed-environments/
MANAGED = (
    "{} is the system's, and takes no packages. Make an environment, and name it:\n"
    "  python3 -m venv .venv\n"
    "  distify install-horovod --python .venv"
)
NO_COMPILER = "no C++ compiler was found on PATH (g++, c++, clang++), and CXX names none"


@click.command("install-horovod", short_help="Build Horovod for the TensorFlow that is installed.")
@click.option(
    "--python",
    metavar="PATH",
    shell_complete=options.files,
    help="The Python that has TensorFlow; else the first that has, of those that `doctor` knows.",
)
@click.option("--dry-run", is_flag=True, help="Show the commands and run none.")
@click.option("--yes", "-y", is_flag=True, help="Don't ask before the commands are run.")
def install_horovod(python: str | None, dry_run: bool, yes: bool) -> None:
    """Build Horovod 0.28.1 for the TensorFlow that is installed, Keras 3 included, and check it.

    Shows the commands first. Where TensorFlow is missing, they install it, too. The check has two
    workers average a number. A C++ compiler is needed, and five to ten minutes; nothing else is
    changed.

    \b
    Exit codes: 0 it works, 2 it could not be built, or does not.
    """
    terminal = Terminal()
    path, tensorflow = _python_and_tensorflow(python)
    if tensorflow:
        text = f"{path} has no TensorFlow, which Horovod is compiled for: both are installed."
        terminal.show([(Span("note: ", "note"), Span(text))])
    for step in building.steps(path, Path("FOLDER"), tensorflow):
        terminal.show([(Span(f"# {step.purpose}", "dim"),)])
        terminal.show((Span(line),) for line in step.shown().splitlines())
    if dry_run or not (yes or click.confirm("Run these commands?")):
        return
    if not building.has_compiler():
        raise click.UsageError(NO_COMPILER)
    try:
        building.install(path, tensorflow)
    except building.InstallProblem as problem:
        raise click.UsageError(str(problem)) from None


def _python_and_tensorflow(named: str | None) -> tuple[str, str]:
    """The Python to build for, and the TensorFlow to install there first; "" where one is there.

    Raises UsageError before anything is done, where it can't be run or nothing suits it.
    """
    from ..verify.run import program_python
    from ..verify.run.installed import SettingProblem

    try:
        likely = program_python.with_tensorflow(named)
    except SettingProblem as problem:
        raise click.UsageError(str(problem)) from None
    path = os.path.abspath(likely.python)
    if likely.found.get("managed"):
        raise click.UsageError(MANAGED.format(path))
    if likely.found["tensorflow"]:
        return path, ""
    version = program_python.suitable(likely.found["python"])
    if not version:
        why = program_python.NO_TENSORFLOW.format(likely.found["python"])
        raise click.UsageError(f"{path} has no TensorFlow, and {why}: name another with --python")
    return path, version
