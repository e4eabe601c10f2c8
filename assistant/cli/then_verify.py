"""`distify migrate --verify`: what was written is run on two workers at once."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence

import click

from .. import interpreter
from ..files.outcome import Outcome
from ..report.next_steps import programs
from ..report.ways import way_of


def refuse(dry: bool, paths: Sequence[str], is_elsewhere: bool) -> None:
    """Raises UsageError where nothing is written here that could be run."""
    if dry or "-" in paths or is_elsewhere:
        message = "--verify runs what was written: not with --diff, --check, --output-dir or `-`"
        raise click.UsageError(message)


def verified(outcomes: Sequence[Outcome]) -> int:
    """The highest exit code of `distify verify` on each program that was written; 0 without one."""
    ways = [way_of(each) for each in programs([each for each in outcomes if each.changed])]
    codes = [_run(way.above, way.script) for way in ways if way.can_be_proved]
    return max(codes, default=0)


def _run(folder: str, script: str) -> int:
    command = [*interpreter.command("distify.assistant.__main__", "main")]
    command += ["verify", *shlex.split(script), "-np", "2"]
    return subprocess.run(command, cwd=folder or None, check=False).returncode
