"""One run of `distify verify`: the program is run, judged, and what came out is told."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

from ..files.saved import NotSaved, put
from ..report import model, trace, verdict_json, verdict_text
from ..report import scaling_table as speeds
from ..report.lines import EMPTY, Line, Span, of_error
from ..report.live import Live
from ..report.terminal import Terminal
from ..report.verify_report import Told
from ..verify import judges
from ..verify.judges._by_model import modelled
from ..verify.judges._words import listed
from ..verify.model import load
from ..verify.model.modules import modules
from ..verify.model.tla.tla import CONFIGURATION
from ..verify.record.evidence import Evidence
from ..verify.run import baseline_runs as compared
from ..verify.run import program_python, scaling
from ..verify.run import second_run as resumed
from ..verify.run.installed import SettingProblem
from ..verify.run.interrupt import Interrupt
from ..verify.run.job import Job
from ..verify.run.processes import Survivors
from ..verify.run.program_python import Setting
from ..verify.run.scaling import Speed
from ..verify.run.whole_job import run
from .notebook_run import Renamed, as_script

FAILED, INTERRUPTED = 2, 130


class Wishes(NamedTuple):
    """How a run is to be told."""

    form: str = "text"
    plot: Optional[Path] = None  # noqa: UP045  Python 3.9 evaluates it
    reports: Sequence[Path] = ()
    verbose: bool = False
    forced: bool = False  # reports go into links and pipes, too


def verified(job: Job, terminal: Terminal, wishes: Wishes) -> int:
    """Runs, judges and tells; the exit code."""
    with failures(terminal), as_script(job, terminal) as (scripted, renamed):
        return _prove(scripted, renamed, wishes)


def _prove(job: Job, terminal: Terminal, wishes: Wishes) -> int:
    with _scratch(job) as scratch:
        interrupt = Interrupt()
        evidence, second, measured = _run(job, scratch.folder, terminal, interrupt)
        verdicts = judges.verdicts(evidence)
        again = resumed.verdicts(second) if job.resume else ()
        answer = modelled(evidence, verdicts) if job.model else None
        if job.tla:
            _write_modules(evidence, job.tla, terminal)
        told = Told(evidence, verdicts, answer, second, again, measured)
        _tell(told, terminal, wishes)
        code = INTERRUPTED if interrupt.asked else told.exit_code
        scratch.keep = code != 0
    for each in told.runs if code else ():
        if each.output:
            terminal.say(f"what the workers printed: {each.output}")
    return code


def _write_modules(evidence: Evidence, folder: Path, terminal: Terminal) -> None:
    """A module and its configuration for each training graph; what has none is named."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in modules(load.read(evidence.folder)[0]):
        if each.text:
            put(str(folder / f"{each.name}.tla"), each.text.encode())
            put(str(folder / f"{each.name}.cfg"), CONFIGURATION.encode())
        else:
            told = (Span(f"{each.name}: no module of TLA+ ({each.why})"),)
            terminal.show([told], error=True)


@contextlib.contextmanager
def failures(terminal: Terminal) -> Iterator[None]:
    """What is in the way is told in one message."""
    try:
        yield
    except (SettingProblem, Survivors, NotSaved) as error:
        terminal.show(of_error(error), error=True)
        sys.exit(FAILED)
    except OSError as error:
        terminal.say(f"error: {error.strerror or error}: {error.filename or ''}")
        sys.exit(FAILED)
    except KeyboardInterrupt:
        terminal.say("interrupted")
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


def _run(
    job: Job, folder: Path, terminal: Terminal, interrupt: Interrupt
) -> tuple[Evidence, Evidence | None, tuple[Speed, ...]]:
    """The run, with `--resume` the one that goes on from it, and how fast others are."""
    found = program_python.find(job)
    terminal.say(_announcement(job, found))
    with interrupt, Live(terminal, job.limit_steps) as live:
        evidence = run(job, found, folder, interrupt, live)
        if job.baseline and not interrupt.asked:
            evidence = compared.with_baseline(evidence, interrupt, live)
        second = resumed.again(evidence, folder, interrupt, live) if job.resume else None
        others = scaling.others(job, found, folder / "speeds", interrupt, live)
    mine = [scaling.of_job(evidence)] if job.measured else []
    return evidence, second, tuple(sorted([*others, *mine]))


def _announcement(job: Job, found: Setting) -> str:
    versions = f"TensorFlow {found.tensorflow}, Horovod {found.horovod}"
    ranks = f", as ranks {listed(job.ranks)} of {job.size}" if job.ranks else ""
    return f"running {job.script} on {job.workers} workers{ranks} with {found.python} ({versions})"


def _tell(told: Told, terminal: Terminal, wishes: Wishes) -> None:
    if wishes.form == "text":
        _show(told, terminal)
    else:
        terminal.write(_document(told, wishes.form, terminal))
    if wishes.verbose:
        for each in told.runs:
            terminal.show(_last_lines(each), error=True)
    if timeline := told.evidence.job.timeline:
        put(str(timeline), trace.trace(told.evidence).encode(), forced=wishes.forced)
    if wishes.plot:
        put(str(wishes.plot), verdict_text.plot(told.evidence).encode(), forced=wishes.forced)
    for path in wishes.reports:
        form = path.suffix.lower().strip(".")
        put(str(path), _document(told, form, terminal), forced=wishes.forced)


def _document(told: Told, form: str, terminal: Terminal) -> bytes:
    """The report as a page, which is made of the one for programs, or as that."""
    text = verdict_json.document(told)
    if isinstance(terminal, Renamed):
        text = terminal.document(text)
    if form == "html":
        from ..report.page.whole_page import of_proof

        text = of_proof(json.loads(text))
    return text.encode("utf-8", "backslashreplace")


def _show(told: Told, terminal: Terminal) -> None:
    unicode, width = verdict_text.speaks_unicode(sys.stdout), terminal.width()
    terminal.show(verdict_text.lines(told.evidence, told.verdicts, width, unicode))
    terminal.show(speeds.lines(told.speeds, unicode))
    if told.answer:
        terminal.show(model.lines(told.evidence, told.answer, width))
    if told.again:
        terminal.show([EMPTY])
        evidence = told.second or told.evidence
        terminal.show(
            verdict_text.lines(evidence, told.again, width, unicode, f", {resumed.SECOND}")
        )


def _last_lines(evidence: Evidence) -> Iterator[Line]:
    for rank, tail in evidence.tails.items():
        who = f"worker {rank}" if rank >= 0 else "horovodrun"
        for line in tail.splitlines():
            yield (Span(f"{who}: ", "dim"), Span(line))
