"""Runs of a program on one process: the reference, and the baseline that a job is compared with.

They come before and after the job, never beside it, and in a folder that only looks like the
user's: as rank 0 of 1 they would write the same files as the job's rank 0.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..files.scripts import sources
from . import records
from .evidence import Alone, Evidence
from .interrupt import Interrupt
from .job import Job
from .launch import Order, started, started_as, threads
from .setting import Setting
from .watch import Rules, Silent, Teller, Watch

SMALL = 1 << 20  # bytes; smaller files are copied, so that a log which is written anew is no one's
MANY = 2_000  # entries of a folder that are laid out


def reference(
    job: Job, setting: Setting, folder: Path, interrupt: Interrupt, tell: Teller
) -> Alone:
    """The program on one worker, which the probe ends right before its first optimizer step."""
    tell.phase("reference", 1)
    options = {"role": "reference", "root": str(job.root), "data": job.data}
    return _alone(job, setting, job.script, options, folder, interrupt)


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
        done = _alone(job, evidence.setting, job.baseline, options, into, asked)
    return replace(evidence, baseline=done)


def _alone(
    job: Job,
    setting: Setting,
    script: Path,
    options: Mapping[str, Any],
    folder: Path,
    interrupt: Interrupt,
) -> Alone:
    command = [setting.python, *started_as(script.resolve()), *job.arguments]
    cwd = folder.with_name(f"{folder.name}-cwd")
    lay_out(Path.cwd(), cwd)
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


def lay_out(source: Path, target: Path) -> None:
    """A folder through which one reads as from another one, and writes beside it.

    Small files are copied, large ones and folders are linked to: what is written into a folder that
    exists goes there, as it does when the program is run.
    """
    target.mkdir(parents=True)
    with os.scandir(source) as entries:
        for number, entry in enumerate(entries):
            if number >= MANY:
                return
            _lay(entry, target / entry.name)


def _lay(entry: os.DirEntry[str], target: Path) -> None:
    try:
        if entry.is_file() and entry.stat().st_size <= SMALL:
            shutil.copy2(entry.path, target)
        elif entry.is_file() or entry.is_dir():
            target.symlink_to(os.path.realpath(entry.path))
    except OSError:
        return  # unreadable for the program, too
