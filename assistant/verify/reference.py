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

from ..files.scripts import sources
from . import records
from .copies import lay_out
from .evidence import Alone, Evidence
from .interrupt import Interrupt
from .job import Job
from .launch import Order, started, started_as, threads
from .setting import Setting
from .watch import Rules, Silent, Teller, Watch

def reference(
    job: Job, setting: Setting, before: Path, folder: Path, interrupt: Interrupt, tell: Teller
) -> Alone:
    """The program on one worker, which the probe ends right before its first optimizer step.

    `before`: the current folder as it was before the job.
    """
    tell.phase("reference", 1)
    options = {"role": "reference", "root": str(job.root), "data": job.data}
    return _alone(job, setting, job.script, options, before, folder, interrupt)


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
        look = Watch(running, Rules(job.timeout, 1), Silent()).until_decided(interrupt)
    running.output.read()
    values = folder / "rank0.npz"
    return Alone(
        role=str(options["role"]),
        worker=records.read(folder).get(0),
        exit_code=look.code,
        tail=running.output.tails().get(-1, ""),
        values=values if values.exists() else None,
        hung=look.ending == "hang",
        seconds=time.monotonic() - begun,
    )


