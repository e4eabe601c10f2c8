"""Starts a run and ends it, whatever happens in between: no process of it survives.

A run is one command, in a folder of its own that holds its records, its output and the lock by
which its processes know that distify lives (see the probe's `alive.py`).
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...files import scripts
from ..record import arrivals
from ..record.printed_lines import Output
from .interrupt import Interrupt
from .job import Job
from .processes import MARK, Family, adopting
from .program_python import Setting

PROBE = Path(__file__).resolve().parent.parent / "probe"
# Horovod tells after so many seconds which ranks a collective waits for (docs/stall.rst). That is
# with MPI: GlooController of 0.28.1 leaves its list of ranks empty, so nobody is ever missing.
STALL_CHECK = "10"


@dataclass(frozen=True)
class Order:
    """One command, where it runs, and what its probe is told."""

    command: Sequence[str]
    cwd: Path
    folder: Path  # of its own
    options: Mapping[str, Any]
    environment: Mapping[str, str]
    shared: bool = False  # other machines take part, which share nothing but the folder
    sources: str | None = None  # where the project keeps its packages
    workers: int = 1


@dataclass(frozen=True)
class Running:
    """A run that was started."""

    process: subprocess.Popen[bytes]
    family: Family
    folder: Path
    output: Output


def job_order(job: Job, setting: Setting, folder: Path) -> Order:
    """The job itself: N workers, in the folder in which the user is."""
    hosts = ["-H", job.hosts] if job.hosts else []
    launcher = [*setting.horovodrun, "-np", str(job.workers), f"--{setting.controller}", *hosts]
    command = [*launcher, setting.python, *started_as(job.script), *job.arguments]
    compared = {"values": True, "seed": 1, "shuffle": False} if job.baseline else {}
    options = {
        "role": "worker",
        "root": str(job.root),
        "seed_per_rank": job.seed_per_rank,
        "limit_steps": job.limit_steps,
        "data": job.data,
        "controllers": setting.controllers,
        "model": job.model,
        "size": job.told,
        "ranks": job.ranks,
        "machines": [str(each) for each in machine_folders(job, folder)],
        **compared,
    }
    own = scripts.sources(str(job.script))
    shared = bool(job.hosts)
    given = threads(job.workers)
    given.update(arrivals.settings(folder) if job.timeline else {})
    return Order(command, Path.cwd(), folder, options, given, shared, own, job.workers)


def machine_folders(job: Job, folder: Path) -> list[Path]:
    """Where the workers of the other machines run, if this one is to look like several."""
    return [folder.with_name(f"{folder.name}-machine{n}") for n in range(1, job.machines)]


def started_as(script: Path) -> list[str]:
    """What Python is given: a script that imports relatively is started as a module, from above."""
    module = scripts.module(str(script))
    found = (os.path.realpath(Path.cwd()), scripts.sources(str(script)))
    return ["-m", module.name] if module is not None and module.top in found else [str(script)]


def threads(processes: int) -> dict[str, str]:
    """Threads for so many processes on this machine's cores: more would wait for one another.

    Two for whole operations, as one that blocks would stop a program with a single one.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    each = max(1, (cores or 1) // processes)
    return {
        "OMP_NUM_THREADS": str(each),
        "TF_NUM_INTRAOP_THREADS": str(each),
        "TF_NUM_INTEROP_THREADS": str(max(2, each)),
    }


def environment(order: Order, token: str) -> dict[str, str]:
    """The user's own environment, and what the probe needs; the user's settings come first."""
    known = dict(os.environ)
    probe = order.folder / "probe" if order.shared else PROBE
    defaults = {
        **order.environment,
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "TF_FORCE_GPU_ALLOW_GROWTH": "true",
        # Of the processor's allocators this one counts every tensor, on every processor.
        "TF_CPU_ALLOCATOR_USE_BFC": "true",
        "HOROVOD_LOG_LEVEL": "warning",
    }
    folders = (str(probe), known.get("PYTHONPATH"), order.sources)
    # A run that is started from within another one is a run of its own.
    known.pop("DISTIFY_PROBE_TAKEN", None)
    return {
        **defaults,
        **known,
        "PYTHONPATH": os.pathsep.join(filter(None, folders)),
        "PYTHONUNBUFFERED": "1",
        "HOROVOD_STALL_CHECK_TIME_SECONDS": STALL_CHECK,
        "DISTIFY_PROBE": str(order.folder),
        "DISTIFY_PROBE_TOKEN": token,
        "DISTIFY_PROBE_OPTIONS": json.dumps(dict(order.options)),
    }


@contextlib.contextmanager
def started(order: Order, interrupt: Interrupt) -> Iterator[Running]:
    """Runs the command; on leaving, however that comes, all its processes are ended.

    Raises OSError where the command can't be started, and Survivors where a process can't be
    ended.
    """
    order.folder.mkdir(parents=True)
    if order.shared:
        shutil.copytree(PROBE, order.folder / "probe")
    token, output = uuid.uuid4().hex, order.folder / "output.txt"
    alive = order.folder / "alive"
    with _hold_lock(alive, token) as guard, adopting(), open(output, "wb") as file:
        family, process, printed = Family(token, [guard]), None, Output(output, order.workers)
        printed.read()  # it is held open from now on
        try:
            process = subprocess.Popen(
                list(order.command),
                cwd=order.cwd,
                env=environment(order, token),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # the terminal's Ctrl-C reaches distify alone
            )
            yield Running(process, family, order.folder, printed)
        finally:
            family.end(interrupt.hurry, process.pid if process else 0)
            if process:
                process.wait()
            printed.end()


@contextlib.contextmanager
def _hold_lock(path: Path, token: str) -> Iterator[int]:
    """Holds the lock, and has a process wait for it that ends the run if distify is killed.

    Gives the process.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with contextlib.suppress(OSError):  # a file system without locks: the file itself must do
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    guard = None
    try:
        guard = _guard(path, token)
        yield guard.pid
    finally:
        with contextlib.suppress(OSError):  # the program may have put something in its place
            path.unlink()
        os.close(handle)
        if guard:
            guard.wait()


def _guard(path: Path, token: str) -> subprocess.Popen[bytes]:
    program = PROBE / "distify_probe" / "alive.py"
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(program), str(path), token],
        env={**os.environ, MARK: token},  # another run sees that it belongs to this one
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
