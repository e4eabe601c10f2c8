"""`distify launch-lines`: how a program is started on many workers, by whatever starts them."""

from __future__ import annotations

import json
import os

import click

from ..files import scripts
from ..files.source_names import NOTEBOOK
from ..report.launching import FORMS, Job
from ..report.lines import EMPTY, Line, Span
from ..report.terminal import Terminal
from . import options


@click.command("launch-lines", short_help="Show how to start a program on many workers.")
@click.argument("script", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "-np", "--workers", type=click.IntRange(1, 100_000), default=2, help="How many workers."
)
@click.option(
    "--gpus-per-node",
    "gpus",
    type=click.IntRange(0, 1000),
    default=None,
    help="GPUs of each machine, and so workers. Default: all workers on one machine with as many.",
)
@click.option(
    "--for", "wanted", type=click.Choice(list(FORMS)), help="That one alone, to write to a file."
)
@options.text_or_json
@options.color
def launch_lines(
    script: str,
    arguments: tuple[str, ...],
    workers: int,
    gpus: int | None,
    wanted: str | None,
    form: str,
    color: str,
) -> None:
    """Show how to start SCRIPT on many workers: horovodrun, mpirun, Slurm, Kubernetes and Ray.

    Nothing is started. ARGUMENTS behind -- are those of the program; names in capital letters and
    host1, host2 … are yours to fill in.

    \b
    Examples:
      distify launch-lines train.py -np 8 --gpus-per-node 4
      distify launch-lines train.py -np 8 --gpus-per-node 4 --for slurm > train.sbatch
      distify launch-lines train.py -np 4 --gpus-per-node 0 -- --epochs 3
    """
    job = _job(script, arguments, workers, workers if gpus is None else gpus)
    chosen = {name: made(job) for name, (_, made) in FORMS.items() if wanted in (None, name)}
    terminal = Terminal(color)
    if form == "json":
        terminal.write(f"{json.dumps(chosen, indent=2)}\n".encode("ascii"))
    elif wanted and not terminal.is_watched():
        terminal.write(chosen[wanted].encode())
    elif wanted:
        terminal.show(_lines(chosen[wanted]))
    else:
        for name, text in chosen.items():
            terminal.show(_section(name, text))


def _job(script: str, arguments: tuple[str, ...], workers: int, gpus: int) -> Job:
    if script.endswith(NOTEBOOK):
        convert = f"`jupyter nbconvert --to script {script}`"
        raise click.UsageError(f"a notebook is started as the script that {convert} makes of it")
    if gpus and workers % gpus and workers > gpus:
        raise click.UsageError(f"{workers} workers can't be shared out to machines of {gpus} GPUs")
    module = scripts.module(os.path.abspath(script))
    job = Job(script, arguments, workers=workers, gpus=min(gpus, workers))
    if module is None:
        return job
    above = os.path.relpath(module.top)
    folder = "" if above == os.curdir else above
    return job._replace(script=module.name, is_module=True, folder=folder)


def _section(name: str, text: str) -> list[Line]:
    heading = (Span(name, "heading"), Span(f"  {FORMS[name][0]}", "dim"))
    return [heading, *_lines(text, "  "), EMPTY]


def _lines(text: str, margin: str = "") -> list[Line]:
    return [(Span(f"{margin}{line}", "command"),) if line else EMPTY for line in text.splitlines()]
