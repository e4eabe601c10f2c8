"""All that one run of a job left behind: what the judges decide on, and nothing else.

Everything here is plain and frozen. What could not be seen is None or empty, and a judge that
needs it says so: "could not check" is never "fine".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..run.job import Job
    from ..run.program_python import Setting
    from .records import Worker


@dataclass(frozen=True)
class Stall:
    """Horovod itself said that a collective waits for some workers (its stall check)."""

    name: str
    ready: tuple[int, ...]  # ranks that called it, as far as Horovod named them
    missing: tuple[int, ...]  # ranks that did not


@dataclass(frozen=True)
class Waiting:
    """One worker at the moment in which the job hung."""

    rank: int
    where: str | None = None  # the user's line, `train.py:41`
    kind: str | None = None  # allreduce, broadcast, …; None: it waits in no known collective
    name: str | None = None  # of the collective
    by: str = (
        ""  # how it is known: "record", "stall", "stack", "closed" and "graph" (compiled, idle)
    )
    steps: int | None = None  # optimizer steps made so far
    stack: str = ""  # all threads, as faulthandler writes them
    exit_code: int | None = None  # the worker had already ended, with this
    ended: bool = False
    idle: bool = True  # it used hardly any processor time: it waits, whatever for


@dataclass(frozen=True)
class Hang:
    """No worker made a step for `seconds`; one entry a worker, in the order of the ranks."""

    seconds: float
    workers: tuple[Waiting, ...]
    stalls: tuple[Stall, ...] = ()


@dataclass(frozen=True)
class Alone:
    """A run on one process: the reference (up to its first step) or the baseline (to its end)."""

    role: str  # "reference", "baseline"
    worker: Worker | None  # None: it left no records
    exit_code: int | None  # None: it had to be ended
    tail: str = ""
    values: Path | None = None  # rank0.npz, the final trained variables
    hung: bool = False
    seconds: float = 0.0
    endless: str = ""  # what it did too much of, so that it was ended


@dataclass(frozen=True)
class Evidence:
    """`ending`: "done" (all workers ended by themselves with 0), "failed" (one did not),
    "hang" (ended by distify: see `hang`), "interrupted" (Ctrl-C or SIGTERM), "endless" (ended by
    distify, since it printed, wrote or ran too much: see `endless`)."""

    job: Job
    setting: Setting
    folder: Path  # of the records
    workers: Mapping[int, Worker]  # by rank; a worker that left no records is not in it
    ending: str
    exit_codes: Mapping[int, int | None] = field(default_factory=dict)  # None: ended by distify
    launcher: int | None = None  # exit code of horovodrun; None: ended by distify
    first: int | None = None  # the rank whose failure made horovodrun end the others
    hang: Hang | None = None
    stalls: tuple[Stall, ...] = ()  # also those that resolved
    output: Path | None = None  # everything that the workers printed
    tails: Mapping[int, str] = field(default_factory=dict)  # the last lines of each; -1: launcher
    seconds: float = 0.0
    reference: Alone | None = None
    slower: Alone | None = None  # the same at a tenth of its rates: is its end one that is learned?
    hashed: Alone | None = (
        None  # the same with a worker's hash seed: does the order of a set count?
    )
    baseline: Alone | None = None
    endless: str = ""  # what the job did too much of, in words that follow it
    enlarged: Alone | None = None  # the baseline with the batches and rates of all workers together
    moved: Evidence | None = None  # the run before, which drifted: there distify had moved weights
    only: tuple[int, ...] = ()  # the ranks that are judged, where they are not all
    repeated: bool = False  # it was run again without that, and drifted all the same
