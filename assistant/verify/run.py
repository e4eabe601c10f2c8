"""One job from start to end: what it left behind is the evidence that is judged."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from . import hanging, records
from .evidence import Alone, Evidence, Hang
from .interrupt import Interrupt
from .job import Job
from .launch import Running, job_order, started
from .output import Output
from .reference import reference
from .setting import Setting
from .watch import Look, Rules, Silent, Teller, Watch

NO_GLOO = "Gloo support has not been built"


def run(
    job: Job,
    setting: Setting,
    folder: Path,
    interrupt: Interrupt | None = None,
    tell: Teller | None = None,
) -> Evidence:
    """Runs a job on its workers, after its reference; `folder` keeps records and output.

    Never hangs, and leaves no process behind. Raises OSError where the command can't be started and
    Survivors where a process could not be ended.
    """
    tell = tell or Silent()
    with interrupt or Interrupt() as asked:
        alone = None
        if job.reference:
            alone = reference(job, setting, folder / "reference", asked, tell)
        if asked.asked or (alone and alone.endless):
            return _nothing(job, setting, folder, alone)
        evidence = _on_workers(job, setting, folder / "job", asked, tell)
        if _lacks_gloo(evidence):
            setting = replace(setting, controller="mpi")
            evidence = _on_workers(job, setting, folder / "job-mpi", asked, tell)
    return replace(evidence, reference=alone)


def _nothing(job: Job, setting: Setting, folder: Path, alone: Alone | None) -> Evidence:
    why = alone.endless if alone else ""
    ending = "endless" if why else "interrupted"
    return Evidence(job, setting, folder, {}, ending, reference=alone, endless=why)


def _lacks_gloo(evidence: Evidence) -> bool:
    launched = evidence.tails.get(-1, "")
    return evidence.setting.controller == "gloo" and not evidence.workers and NO_GLOO in launched


def _on_workers(
    job: Job, setting: Setting, folder: Path, interrupt: Interrupt, tell: Teller
) -> Evidence:
    tell.phase("job", job.workers)
    begun = time.monotonic()
    hang: Hang | None = None
    with started(job_order(job, setting, folder), interrupt) as running:
        stuck = partial(_stuck, job, running)
        spins = setting.controller == "mpi"
        rules = Rules(job.timeout, job.workers, job.limit_time, spins, stuck, launched=True)
        look = Watch(running, rules, tell).until_decided(interrupt)
        if look.ending == "hang":
            hang = hanging.examine(job, running, look)
    return _evidence(job, setting, running, look, hang, time.monotonic() - begun)


def _stuck(job: Job, running: Running, look: Look) -> bool:
    return hanging.certain(hanging.examine(job, running, look))


def _evidence(
    job: Job,
    setting: Setting,
    running: Running,
    look: Look,
    hang: Hang | None,
    seconds: float,
) -> Evidence:
    output = running.output
    ended = look.ending == "ended"
    return Evidence(
        job=job,
        setting=setting,
        folder=running.folder,
        workers=records.read(running.folder),
        ending=_ending(look, output),
        exit_codes=_exit_codes(job, output, ended),
        launcher=look.code,
        first=output.first if ended else None,
        hang=hang,
        stalls=output.stalls(job.workers),
        output=output.path,
        tails=output.tails(),
        seconds=seconds,
        endless=look.endless,
    )


def _ending(look: Look, output: Output) -> str:
    if look.ending != "ended":
        return look.ending
    return "failed" if look.code or output.exits else "done"


def _exit_codes(job: Job, output: Output, ended: bool) -> Mapping[int, int | None]:
    """Horovod names the codes that are not 0; without a word all is well, if it came so far."""
    unknown = None if not ended else 0
    return {rank: output.exits.get(rank, unknown) for rank in range(job.workers)}
