"""`distify verify`: the one command that runs the user's program, and says so."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..report.terminal import Terminal
from . import options
from .own_arguments import RunsAProgram

if TYPE_CHECKING:
    from ..verify.run.job import Job


@dataclass(frozen=True)
class Given:
    """What the command line says, as click names it."""

    script: Path
    arguments: tuple[str, ...]
    workers: tuple[int, ...]
    told: int | None
    hosts: str | None
    machines: int
    timeout: float
    limit_steps: int | None
    limit_time: float
    seed_per_rank: bool | None
    data: str | None
    baseline: Path | None
    plot: Path | None
    reference: bool
    resume: bool
    model: bool
    tla: Path | None
    timeline: Path | None
    report: tuple[Path, ...]
    force_report: bool
    python: str | None
    form: str
    color: str
    verbose: bool

    def job(self) -> Job:
        """What is to be verified, and how. Raises UsageError for what can't be asked for."""
        from ..verify.run.job import Job, standing_in

        if self.plot and self.plot.suffix.lower() != ".svg":
            name = self.plot.stem
            raise click.UsageError(f"--plot draws an SVG: name it {name}.svg, not {self.plot.name}")
        ranks = standing_in(self.told) if self.told else ()
        same = {name: getattr(self, name) for name in _SAME}
        return Job(
            workers=len(ranks) or max(self.workers, default=2),
            measured=self.workers[:-1],
            ranks=ranks,
            told=self.told or 0,
            limit_steps=self._steps,
            seed_per_rank=self._is_seeded_per_rank,
            data=self.data or "",
            model=self._needs_model,
            **same,
        )

    @property
    def _needs_model(self) -> bool:
        return self.model or self.tla is not None

    @property
    def _steps(self) -> int:
        """Of a model a first round of all optimizers, and what is done otherwise behind it."""
        default = 2 if self._needs_model else 0
        return default if self.limit_steps is None else self.limit_steps

    @property
    def _is_seeded_per_rank(self) -> bool:
        """Values can only be compared from the same start."""
        return self.baseline is None if self.seed_per_rank is None else self.seed_per_rank

    def refuse_together(self, job: Job) -> None:
        """Raises UsageError for what can't be asked for at once."""
        if self.machines > max(self.workers, default=2):
            raise click.UsageError(
                f"--machines {self.machines} needs as many workers: -np {self.machines}"
            )
        for is_asked, message in self._together(job):
            if is_asked:
                raise click.UsageError(message)

    def _together(self, job: Job) -> Iterator[tuple[object, str]]:
        """What can't be asked for at once, and how that is said."""
        yield (
            job.timeline and (job.hosts or job.resume),
            "--timeline is for one machine, without --resume",
        )
        yield (
            job.told and (self.workers or job.hosts or job.baseline),
            "--as says how many workers there are: not with -np, -H, --baseline",
        )
        yield (
            job.resume and (job.limit_steps or job.model or job.baseline),
            "--resume runs it to its end: not with --limit-steps, --model, --tla, --baseline",
        )
        yield (
            job.measured and (job.hosts or job.resume),
            "several numbers of workers are for one machine, without --resume",
        )
        yield (
            job.machines > 1 and (job.hosts or job.told or job.baseline or job.resume),
            "--machines is not for -H, --as, --baseline, --resume",
        )


# What a job calls as the command line does.
_SAME = (
    *("script", "arguments", "hosts", "machines", "python", "timeout", "limit_time", "baseline"),
    *("reference", "resume", "tla", "timeline"),
)


@click.command(
    cls=RunsAProgram,
    short_help="Run a distributed program and prove that its workers train in step.",
)
@click.argument("script", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- SCRIPT ARGS]")
@options.workers
@click.option(
    "--as",
    "told",
    type=click.IntRange(2),
    metavar="N",
    help="As a job of N workers, of which only the ranks 0, 1, N/2 and N-1 run.",
)
@click.option("-H", "hosts", metavar="HOSTS", help="Where they run: host1:2,host2:2 (horovodrun).")
@click.option(
    "--machines",
    default=1,
    type=click.IntRange(1),
    metavar="N",
    help="Let this machine look like N, each with a copy of the folder. [default: 1]",
)
@click.option(
    "--timeout",
    default=60.0,
    type=click.FloatRange(1),
    metavar="SECONDS",
    help="A job in which nothing moves for so long hangs. [default: 60]",
)
@click.option(
    "--limit-steps",
    type=click.IntRange(0),
    metavar="N",
    help="End after N optimizer steps; 0: let the program come to its end. "
    "[default: 0, with --model 2]",
)
@click.option(
    "--limit-time",
    default=86_400.0,
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="End a run after so long, whatever moves in it; 0: never. [default: 86400, a day]",
)
@click.option(
    "--seed-per-rank/--no-seed-per-rank",
    default=None,
    help="Let each worker start from other weights, so that a missing broadcast can't hide. "
    "[default: yes, without --baseline]",
)
@click.option(
    "--data",
    type=click.Choice(["tiny"]),
    help="tiny: small synthetic arrays in the place of keras.datasets.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Compare with this program on one process: the one from before the migration.",
)
@options.plot
@click.option(
    "--reference/--no-reference",
    default=True,
    help="First ask one process for its learning rate, to see if N workers scale it.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Run it twice in this folder: the second run finds what the first one saved.",
)
@click.option(
    "--model",
    is_flag=True,
    help="Prove it from the graph of the step, too: for any number of workers and any data.",
)
@click.option(
    "--tla",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the model there as modules of TLA+, for TLC; implies --model.",
)
@click.option(
    "--timeline",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.json",
    help="Write there what the workers did when, and who waited for whom, for chrome://tracing.",
)
@options.report_of_a_run
@options.force_report
@options.python
@options.form_of_a_run
@options.color
@click.option("-v", "--verbose", is_flag=True, help="Show the end of what the workers printed.")
@options.given_as(Given)
def verify(given: Given) -> None:
    """Run SCRIPT on Horovod workers and prove that they train in step.

    This runs your program, in the current folder, as horovodrun would: it reads your data and
    writes your files. Nothing of it is changed; it is watched from outside. Nothing that it starts
    is left running, and a job that hangs is ended and explained.

    It tells whether all workers hold the same weights after the same number of steps, and if not,
    from which step and which variable on; whether gradients are averaged, the first weights
    broadcast, the learning rate scaled, the data shared out, files written by one worker only.
    A worker needs no GPU for that. Of a notebook the code cells are run, without their magics.

    \b
    Examples:
      distify verify train.py                       two workers, to the end
      distify verify train.py --limit-steps 20      a glance
      distify verify train.py -- --epochs 1         with arguments of its own
      distify verify train.py --data tiny           where the data is not there
      distify verify train.py --model               its graphs, for any N
      distify verify train.py --as 64               four of 64 workers
      distify verify train.py -np 1,2,4             how it scales, too
      distify verify --resume train.py              the run that goes on, too
      distify verify new.py --baseline old.py --plot loss.svg
      distify verify train.py --report proof.html   curves and a timeline
      distify verify train.py --python ~/venv/bin/python

    \b
    Exit code:
      0    every worker is in step, and nothing is wrong
      1    a fault was found
      2    the program or its setting failed, so that nothing was proved
      130  interrupted; what was seen until then is reported
    """
    job = given.job()
    given.refuse_together(job)
    if not given.force_report:
        _refuse_links([*given.report, *filter(None, [given.plot, given.timeline])])
    from . import proving  # so that `--help` doesn't wait for it

    wishes = proving.Wishes(given.form, given.plot, given.report, given.verbose, given.force_report)
    sys.exit(proving.verified(job, Terminal(given.color), wishes))


def _refuse_links(paths: Sequence[Path]) -> None:
    """Before the program runs: what could only fail behind it would be lost."""
    from ..files.saved import obstacle

    for path in paths:
        if why := obstacle(str(path)):
            message = f"{path!s:.200} {why}: name another file, or --force-report"
            raise click.UsageError(message)
