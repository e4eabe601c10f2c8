"""One run of `distify verify`: the program is run, judged, and what came out is told."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from .live import Live
from .report import verdict, verdict_json
from .report.lines import Line, Span
from .terminal import Terminal
from .verify import compared, judges, setting
from .verify.evidence import Evidence
from .verify.interrupt import Interrupt
from .verify.job import Job
from .verify.processes import Survivors
from .verify.run import run
from .verify.setting import Setting, SettingProblem
from .verify.verdict import Verdict, exit_code

FAILED, INTERRUPTED = 2, 130


def verified(job: Job, terminal: Terminal, form: str, plot: Path | None, verbose: bool) -> int:
    """Runs, judges and tells; the exit code."""
    with _failures(), _scratch(job) as scratch:
        interrupt = Interrupt()
        evidence = _run(job, scratch.folder, terminal, interrupt)
        verdicts = judges.verdicts(evidence)
        _tell(evidence, verdicts, terminal, form, plot, verbose)
        code = INTERRUPTED if interrupt.asked else exit_code(verdicts)
        scratch.keep = code != 0
    if code and evidence.output:
        click.echo(f"what the workers printed: {evidence.output}", err=True)
    return code


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    """What is in the way is told in one message."""
    try:
        yield
    except (SettingProblem, Survivors) as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(FAILED)
    except OSError as error:
        click.echo(f"error: {error.strerror or error}: {error.filename or ''}", err=True)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)


class _Scratch:
    """A folder for records and output; it stays where there is something to look up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keep = False


@contextlib.contextmanager
def _scratch(job: Job) -> Iterator[_Scratch]:
    # Workers on other machines reach the current folder, as horovodrun asks for that anyway.
    where = Path.cwd() if job.hosts else None
    scratch = _Scratch(Path(tempfile.mkdtemp(prefix="distify-verify-", dir=where)))
    try:
        yield scratch
    finally:
        if not scratch.keep:
            shutil.rmtree(scratch.folder, ignore_errors=True)


def _run(job: Job, folder: Path, terminal: Terminal, interrupt: Interrupt) -> Evidence:
    found = setting.find(job)
    click.echo(_announcement(job, found), err=True)
    with interrupt, Live(terminal, job.limit_steps) as live:
        evidence = run(job, found, folder, interrupt, live)
        if job.baseline and not interrupt.asked:
            evidence = compared.with_baseline(evidence, interrupt, live)
    return evidence


def _announcement(job: Job, found: Setting) -> str:
    versions = f"TensorFlow {found.tensorflow}, Horovod {found.horovod}"
    return f"running {job.script} on {job.workers} workers with {found.python} ({versions})"


def _tell(
    evidence: Evidence,
    verdicts: tuple[Verdict, ...],
    terminal: Terminal,
    form: str,
    plot: Path | None,
    verbose: bool,
) -> None:
    if form == "json":
        terminal.write(verdict_json.document(evidence, verdicts).encode("ascii"))
    else:
        unicode = verdict.speaks_unicode(sys.stdout)
        terminal.show(verdict.lines(evidence, verdicts, terminal.width(), unicode))
    if verbose:
        terminal.show(_printed(evidence), error=True)
    if plot:
        plot.write_text(verdict.plot(evidence), encoding="utf-8")


def _printed(evidence: Evidence) -> Iterator[Line]:
    for rank, tail in evidence.tails.items():
        who = f"worker {rank}" if rank >= 0 else "horovodrun"
        for line in tail.splitlines():
            yield (Span(f"{who}: ", "dim"), Span(line))
