"""Runs of a program on one process: the reference, and the baseline that a job is compared with.

They run in a folder that only looks like the user's, as it was before the job: as rank 0 of 1 they
would write the same files as the job's rank 0, and go on from what that has saved.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...files.scripts import sources
from ..judges import _seen
from ..judges.amounts import is_divided_twice
from ..judges.numbering import suspect
from ..record import records
from ..record.events import Element, Optimizer, Rate, State
from ..record.evidence import Alone, Evidence
from ..record.records import Worker
from .copies import lay_out
from .interrupt import Interrupt
from .job import Job
from .launch import Order, started, started_as, threads
from .program_python import Setting
from .watch import Rules, Silent, Teller, Watch

PATIENCE = 10.0  # seconds of steps that a reference may take, if the job took no longer
BEYOND = (8.0, 30.0)  # seconds at least and at most in which it goes on to its end, as the job did
SLOWER = 0.1  # times its rates


def reference(
    evidence: Evidence, before: Path, folder: Path, interrupt: Interrupt, tell: Teller
) -> Alone:
    """The program on one worker, up to what the job is to be compared with.

    These are the rates of all its optimizers, and a step that is made of what the job has made one
    of. `before`: the current folder as it was before the job.
    """
    job = evidence.job
    tell.phase("reference", 1)
    options = {
        "role": "reference",
        "root": str(job.root),
        "data": job.data,
        "wanted": wanted(evidence),
        "seconds": max(PATIENCE, evidence.seconds),
        "whole": evidence.ending == "failed",
        "beyond": _beyond(evidence),
        **_step_to_replay(evidence),
    }
    return _alone(job, evidence.setting, job.script, options, before, folder, interrupt)


def slower(evidence: Evidence, before: Path, folder: Path, interrupt: Interrupt) -> Evidence:
    """The evidence with one process at a tenth of its rates, if the number of its steps matters.

    A program that ends once it has learned enough makes others then.
    """
    if not is_divided_twice(evidence) or interrupt.asked:
        return evidence
    found = _once_more(evidence, {"rate_factor": SLOWER}, before, folder, interrupt)
    return replace(evidence, slower=found)


def hashed(evidence: Evidence, before: Path, folder: Path, interrupt: Interrupt) -> Evidence:
    """The evidence with one process that has a worker's order of sets, if that may matter."""
    rank = None if interrupt.asked else suspect(evidence)
    if rank is None:
        return evidence
    found = _once_more(evidence, {"hash_seed_of": rank}, before, folder, interrupt)
    return replace(evidence, hashed=found)


def _once_more(
    evidence: Evidence, more: Mapping[str, Any], before: Path, folder: Path, interrupt: Interrupt
) -> Alone:
    """The reference again, to its end, with one thing changed."""
    job = evidence.job
    options = {
        "role": "reference",
        "root": str(job.root),
        "data": job.data,
        "seconds": max(PATIENCE, evidence.seconds),
        "beyond": _beyond(evidence),
        **more,
    }
    return _alone(job, evidence.setting, job.script, options, before, folder, interrupt)


def _beyond(evidence: Evidence) -> float:
    """For how long it goes on where the job came to its end: all that it did can be compared."""
    least, most = BEYOND
    whole = evidence.ending == "done" and not evidence.job.limit_steps
    return min(max(least, evidence.seconds), most) if whole else 0.0


def wanted(evidence: Evidence) -> dict[str, int]:
    """How many steps each optimizer is to make: those whose rates change, as long as in the job.

    N workers see in a step what one process sees in N.
    """
    worker = next((w for w in _seen.everyone(evidence) if w.all(Optimizer)), None)
    if worker is None:
        return {}
    found: dict[str, int] = {}
    for optimizer in worker.all(Optimizer):
        rates = {each.value for each in worker.all(Rate) if each.optimizer == optimizer.id}
        made = max((s.steps[optimizer.id] for s in _states(worker, optimizer.id)), default=0)
        found[str(optimizer.id)] = made * evidence.job.size if len(rates) > 1 else 0
    return found


def _states(worker: Worker, optimizer: int) -> list[State]:
    return [state for state in worker.all(State) if len(state.steps) > optimizer]


def _step_to_replay(evidence: Evidence) -> dict[str, Any]:
    """Where the workers have left a step that one process can make, if all have."""
    workers = _seen.everyone(evidence)
    kept = [worker.last(Element) for worker in workers]
    vias = {each.via for each in kept if each is not None and each.batch}
    if _seen.missing(evidence) or None in kept or len(vias) != 1 or evidence.job.ranks:
        return {}
    if not (evidence.folder / "rank0.weights.npz").exists():
        return {}
    return {
        "replay": str(evidence.folder),
        "replay_via": vias.pop(),
        "replay_workers": len(workers),
    }


def baseline(
    evidence: Evidence,
    *,
    batch_factor: int = 1,
    rate_factor: float = 1.0,
    folder: Path | None = None,
    interrupt: Interrupt | None = None,
    tell: Teller | None = None,
) -> Evidence:
    """The evidence with a run of `--baseline FILE` to its end, or to the limit of steps.

    Its batches and learning rates are multiplied by the factors; its final variables are left in
    `Alone.values`. Can be called again, with another folder, for other factors.
    """
    job = evidence.job
    if job.baseline is None:
        return evidence
    (tell or Silent()).phase("baseline", 1)
    options = {
        "role": "baseline",
        "root": str(job.baseline.resolve().parent),
        "data": job.data,
        "limit_steps": job.limit_steps,
        "values": True,
        "seed": 1,
        "shuffle": False,
        "batch_factor": batch_factor,
        "rate_factor": rate_factor,
    }
    into = folder or evidence.folder.parent / "baseline"
    with interrupt or Interrupt() as asked:
        before = evidence.folder.parent / "before"
        done = _alone(job, evidence.setting, job.baseline, options, before, into, asked)
    return replace(evidence, baseline=done)


def _alone(
    job: Job,
    setting: Setting,
    script: Path,
    options: Mapping[str, Any],
    before: Path,
    folder: Path,
    interrupt: Interrupt,
) -> Alone:
    command = [setting.python, *started_as(script.resolve()), *job.arguments]
    cwd = folder.with_name(f"{folder.name}-cwd")
    lay_out(before, cwd)
    given = {"seed_per_rank": False, **options}
    order = Order(command, cwd, folder, given, threads(1), sources=sources(str(script)))
    begun = time.monotonic()
    with started(order, interrupt) as running:
        rules = Rules(job.timeout, 1, job.limit_time)
        look = Watch(running, rules, Silent()).until_decided(interrupt)
    values = folder / "rank0.npz"
    return Alone(
        role=str(options["role"]),
        worker=records.read(folder).get(0),
        exit_code=look.code,
        tail=running.output.tails().get(-1, ""),
        values=values if values.is_file() else None,
        hung=look.ending == "hang",
        seconds=time.monotonic() - begun,
        endless=look.endless,
    )
