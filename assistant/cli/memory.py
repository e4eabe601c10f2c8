"""`distify memory`: what a step keeps, and the cheapest schedule of D501 that fits."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Optional

import click

from ..report.lines import EMPTY, Line, Span
from ..report.terminal import Terminal
from . import options
from .own_arguments import RunsAProgram

if TYPE_CHECKING:
    from distify.codemods.model import Migration

    from ..verify.run.job import Job
    from ..verify.run.step_memory import Measured

RULE = "D501"
KEEPS = "are kept, and each"  # what D501 says of what it rewrites
MOST = 8  # loops, each of which is measured by itself
UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?", re.IGNORECASE)


class Schedule(NamedTuple):
    """A schedule of D501, "" for the program as it is written; snapshots of the binomial one."""

    form: str = ""
    snapshots: int = 0

    @property
    def name(self) -> str:
        """As it is told."""
        return f"{self.form}, {self.snapshots}" if self.snapshots else self.form or "as written"

    @property
    def settings(self) -> str:
        """What stands for it in the settings."""
        more = f", snapshots = {self.snapshots}" if self.snapshots else ""
        return f'recompute = "{self.form}"{more}'


# The cheapest first: runs of 64 steps are 64, 120, 188, 236, 256 and 312.
SCHEDULES = (
    Schedule(),
    Schedule("sqrt"),
    Schedule("binomial", 8),
    Schedule("binomial", 5),
    Schedule("halves"),
    Schedule("binomial", 3),
)
SHOWN = (Schedule(), Schedule("sqrt"), Schedule("halves"))  # where there is no budget


class Run(NamedTuple):
    """A schedule, what it made of the program, and what a step needs then."""

    schedule: Schedule
    migration: Migration
    measured: Optional[Measured]  # noqa: UP045  Python 3.9 evaluates it


def _bytes(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    """A number of bytes of `6GB`, `512 MiB` or `800000000`."""
    found = SIZE.fullmatch(value.strip()) if value else None
    if value and (found is None or not float(found[1])):
        raise click.BadParameter(f"{value!r:.40} is no size such as 6GB or 512MB")
    if found is None:
        return None
    unit = UNITS[found[2].upper()]
    binary = 1024 ** (list(UNITS).index(found[2].upper())) if found[3] else unit
    return float(found[1]) * binary


@click.command(
    cls=RunsAProgram, short_help="Measure what a step keeps, and choose what fits a budget."
)
@click.argument("script", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- SCRIPT ARGS]")
@click.option("--budget", callback=_bytes, metavar="SIZE", help="What a step may need, as 6GB.")
@click.option(
    "--limit-steps", type=click.IntRange(4), default=8, metavar="N", help="End after N steps."
)
@click.option(
    "--timeout", default=60.0, type=click.FloatRange(1), metavar="SECONDS",
    help="A run in which nothing moves for so long is ended. [default: 60]",
)  # fmt: skip
@options.python
@options.color
def memory(
    script: Path,
    arguments: tuple[str, ...],
    budget: float | None,
    limit_steps: int,
    timeout: float,
    python: str | None,
    color: str,
) -> None:
    """Measure the memory of a step of SCRIPT, as it is and with the schedules of D501.

    This runs your program on one process, several times, in a copy of the current folder. Nothing
    is rewritten: it tells what its loops and layers keep, why others are left, and with --budget
    the schedule that runs the fewest steps again of those that fit.

    \b
    Examples:
      distify memory train.py                as written, sqrt and halves
      distify memory train.py --budget 6GB   the cheapest that fits

    \b
    Exit code:
      0  measured; with --budget, something fits
      1  nothing fits
      2  the program or its setting failed
    """
    from ..verify.run.job import Job

    job = Job(
        script, arguments, workers=1, python=python, timeout=timeout, limit_steps=limit_steps,
        limit_time=86_400.0,
    )  # fmt: skip
    sys.exit(measured(job, budget, Terminal(color)))


def measured(job: Job, budget: float | None, terminal: Terminal) -> int:
    """Measure and tell; the exit code."""
    from .proving import failures

    folder = Path(tempfile.mkdtemp(prefix="distify-memory-"))
    try:
        with failures(terminal):
            return _measure_in(job, budget, terminal, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _measure_in(job: Job, budget: float | None, terminal: Terminal, folder: Path) -> int:
    runs = []
    for run in _runs(job, budget, folder):
        runs.append(run)
        if not runs[0].measured or runs[0].measured.why:
            why = runs[0].measured.why if runs[0].measured else ""
            terminal.say(f"{job.script}: nothing was measured: {why}")
            return 2
        terminal.show([_line(run, budget)])
    terminal.show(_notes(runs, dict(_bytes_by_loop(job, runs, folder))))
    chosen = _fitting(runs, budget)
    if budget is not None:
        terminal.show(_choice(chosen, budget))
    return 0 if budget is None or chosen is not None else 1


def _runs(job: Job, budget: float | None, folder: Path) -> Iterator[Run]:
    """The program with each schedule, until one fits."""
    from ..verify.run.interrupt import Interrupt
    from ..verify.run.program_python import likeliest
    from ..verify.run.step_memory import measure

    python = likeliest(job.python)[0]
    source = job.script.read_bytes()
    with Interrupt() as interrupt:
        for number, schedule in enumerate(SCHEDULES if budget else SHOWN):
            migration = _with_schedule(job.script, source, schedule)
            text = migration.after if schedule.form else migration.before
            if schedule.form and text == migration.before:
                yield Run(schedule, migration, None)
                return
            found = measure(job, python, text.encode(), folder / str(number), interrupt)
            yield Run(schedule, migration, found)
            if budget is not None and not found.why and found.bytes <= budget:
                return


def _bytes_by_loop(job: Job, runs: list[Run], folder: Path) -> Iterator[tuple[int, float]]:
    """The lines of the loops that can be run again, and what each of them keeps."""
    from ..verify.run.interrupt import Interrupt
    from ..verify.run.program_python import likeliest
    from ..verify.run.step_memory import measure

    lines = sorted({note.line for note in runs[-1].migration.notes if KEEPS in note.message})
    written, python = runs[0].measured, likeliest(job.python)[0]
    least = [r.measured.bytes for r in runs[1:] if r.measured and not r.measured.why]
    if not written or not least:
        return
    if len(lines) == 1:
        yield lines[0], written.bytes - min(least)
        return
    with Interrupt() as interrupt:
        for line in lines[:MOST]:
            source = job.script.read_bytes()
            text = _with_schedule(job.script, source, Schedule("halves"), line).after.encode()
            found = measure(job, python, text, folder / f"line{line}", interrupt)
            if not found.why:
                yield line, max(0.0, written.bytes - found.bytes)


def _with_schedule(script: Path, source: bytes, schedule: Schedule, loop: int = 0) -> Migration:
    from .. import codemods
    from ..files.choice import Choice

    chosen = Choice((RULE,), ()).options_for(str(script.resolve().parent))
    chosen = chosen._replace(recompute=schedule.form, snapshots=schedule.snapshots or 5, loop=loop)
    return codemods.migrate(source.decode(), chosen, str(script))


def _fitting(runs: list[Run], budget: float | None) -> Run | None:
    fitting = [r for r in runs if r.measured and not r.measured.why and budget is not None]
    return next((r for r in fitting if r.measured and r.measured.bytes <= (budget or 0)), None)


def _size(count: float) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _line(run: Run, budget: float | None) -> Line:
    name = f"  {run.schedule.name:<14}"
    if run.measured is None:
        return (Span(name), Span("nothing here is rewritten"))
    if run.measured.why:
        return (Span(name), Span(run.measured.why))
    told = f"{_size(run.measured.bytes):>10}  {run.measured.seconds:.3f} s a step"
    fits = budget is not None and run.measured.bytes <= budget
    return (Span(name), Span(f"{told} ({run.measured.device}){'  fits' if fits else ''}"))


def _notes(runs: list[Run], kept: dict[int, float]) -> Iterator[Line]:
    """What each loop keeps, and why others are left."""
    last = runs[-1].migration
    yield EMPTY
    for note in (*last.blocked, *last.notes):
        if note.code == RULE or note.severity == "blocked":
            keeps = f"keeps {_size(kept[note.line])}; " if note.line in kept else ""
            yield (Span(f"  line {note.line}: {keeps}{note.message}"),)
    least = [r.measured.bytes for r in runs[1:] if r.measured and not r.measured.why]
    if least and runs[0].measured:
        part = 1 - min(least) / runs[0].measured.bytes
        yield (Span(f"  of the step's memory {part:.0%} need not be kept"),)


def _choice(chosen: Run | None, budget: float) -> Iterator[Line]:
    yield EMPTY
    if chosen is None:
        yield (Span(f"nothing fits into {_size(budget)}"),)
    elif not chosen.schedule.form:
        yield (Span(f"it fits into {_size(budget)} as it is written"),)
    else:
        yield (Span(f"{chosen.schedule.settings} is the cheapest that fits into {_size(budget)}:"),)
        yield (Span("  with that in [tool.distify], distify migrate --select D501"),)
