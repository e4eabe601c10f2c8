"""One job from start to end: what it left behind is the evidence that is judged."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable

from ..judges._compared_states import compare
from ..judges._drift_causes import START, UNKNOWN, WRITTEN, cause_of
from ..judges._local_sgd import rounds
from ..judges._sets import parts
from ..judges._uneven_ends import uneven
from ..record import records
from ..record.evidence import Evidence, Hang
from ..record.printed_lines import Output
from . import hanging
from .copies import lay_out
from .interrupt import Interrupt
from .job import Job
from .launch import Order, Running, job_order, machine_folders, started
from .program_python import Setting
from .reference import hashed, reference, slower
from .watch import Look, Rules, Silent, Teller, Watch

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from .job import Job


NO_GLOO = "Gloo support has not been built"


def run(
    job: Job,
    setting: Setting,
    folder: Path,
    interrupt: Interrupt | None = None,
    tell: Teller | None = None,
) -> Evidence:
    """Runs a job on its workers, then its reference; `folder` keeps records and output.

    All other runs than the job are made in a copy of the current folder as it was before. Never
    hangs, and leaves no process behind. Raises OSError where the command can't be started and
    Survivors where a process could not be ended.
    """
    tell = tell or Silent()
    before = folder / "before"
    with interrupt or Interrupt() as asked:
        if asked.asked:
            return Evidence(job, setting, folder, {}, "interrupted")
        lay_out(Path.cwd(), before)
        evidence = _on_workers(job, setting, folder / "job", asked, tell)
        if _lacks_gloo(evidence):
            setting = replace(setting, controller="mpi")
            evidence = _on_workers(job, setting, folder / "job-mpi", asked, tell)

        def again(other: Job) -> Evidence:
            lay_out(before, folder / "repeated-cwd")
            cwd = folder / "repeated-cwd"
            return _on_workers(other, setting, folder / "repeated", asked, tell, cwd)

        evidence = without_moving(evidence, again)
        if job.reference and not asked.asked and not evidence.endless:
            alone = reference(evidence, before, folder / "reference", asked, tell)
            evidence = replace(evidence, reference=alone)
            evidence = slower(evidence, before, folder / "slower", asked)
            evidence = hashed(evidence, before, folder / "hashed", asked)
    return evidence


def _lacks_gloo(evidence: Evidence) -> bool:
    launched = evidence.tails.get(-1, "")
    return evidence.setting.controller == "gloo" and not evidence.workers and NO_GLOO in launched


def _on_workers(
    job: Job,
    setting: Setting,
    folder: Path,
    interrupt: Interrupt,
    tell: Teller,
    cwd: Path | None = None,
) -> Evidence:
    """A run of the job, in another folder than the current one if `cwd` is given."""
    tell.phase("job", job.workers)
    begun = time.monotonic()
    hang: Hang | None = None
    for other in machine_folders(job, folder):
        lay_out(cwd or Path.cwd(), other)
    with started(_order(job, setting, folder, cwd), interrupt) as running:
        stuck, waits = partial(_stuck, job, running), partial(_waits, job, running)
        spins = setting.controller == "mpi"
        limits = (job.timeout, job.workers, job.limit_time, spins)
        rules = Rules(*limits, stuck, launched=True, waits=waits)
        look = Watch(running, rules, tell).until_decided(interrupt)
        if look.ending == "hang":
            hang = hanging.examine(job, running, look)
    return _evidence(job, setting, running, look, hang, time.monotonic() - begun)


def _order(job: Job, setting: Setting, folder: Path, cwd: Path | None) -> Order:
    if cwd is None:
        return job_order(job, setting, folder)
    order = job_order(replace(job, script=job.script.resolve()), setting, folder)
    return replace(order, cwd=cwd)


def _stuck(job: Job, running: Running, look: Look) -> bool:
    return hanging.certain(hanging.examine(job, running, look))


def _waits(job: Job, running: Running, look: Look) -> bool:
    return hanging.waits(hanging.examine(job, running, look))


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


# -- the same job once more, its weights not moved apart -----------------------------------------


def without_moving(evidence: Evidence, again: Callable[[Job], Evidence]) -> Evidence:
    """The evidence that is to be judged; `again` runs a job in a copy of the folder.

    It is that of the second run, with the first one in `moved`, if only the first drifted apart.
    """
    if not _may_be_our_own(evidence):
        return evidence
    second = again(replace(evidence.job, seed_per_rank=False))
    found = [compare(part) for part in parts(second)]
    if second.ending != "done" or not all(each.points for each in found):
        return evidence
    if any(each.apart for each in found):
        return replace(evidence, repeated=True)
    if any(_left_out(part) for part in parts(second)):
        return replace(second, repeated=True)
    return replace(second, moved=evidence)


def _left_out(part: Evidence) -> bool:
    """Whether workers ended apart after other numbers of steps, which no state tells."""
    found = uneven(part)
    return found is not None and bool(found.differing)


def _may_be_our_own(evidence: Evidence) -> bool:
    """Whether workers stay apart that distify moved apart, and no other reason was seen."""
    if not evidence.job.seed_per_rank or evidence.ending != "done" or evidence.job.hosts:
        return False
    return any(map(_is_unexplained, parts(evidence)))


def _is_unexplained(part: Evidence) -> bool:
    found = compare(part)
    if found.first_apart is None or rounds(part, found):
        return False
    return cause_of(part, found, found.first_apart).title in (START, UNKNOWN, WRITTEN)
