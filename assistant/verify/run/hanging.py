"""A run that hangs: who waits where, from the workers' own records, stacks and Horovod's words."""

from __future__ import annotations

import os
import re
import signal
import stat
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..record import hanging_stacks, records
from ..record.endings import Done, End
from ..record.endings import Waiting as Blocked
from ..record.events import Collective, Function, Iteration
from ..record.evidence import Hang, Stall, Waiting
from ..record.records import Worker
from .job import Job
from .launch import Running
from .watch import Look

PATIENCE = 10.0  # seconds in which a worker writes its stacks
SETTLED = 0.5  # seconds in which nothing is added to them
_OPERATION = re.compile(r"Horovod(Allreduce|Allgather|Broadcast|Alltoall|Reducescatter|Join)", re.I)
# Where a program hands a graph to TensorFlow's runtime and waits for its end.
_EXECUTES = ("quick_execute", "TFE_Py_Execute", "_call_tf_sessionrun", "_run_fn", "call_function")


@dataclass(frozen=True)
class BlockingCollective:
    """A collective that a worker waits in, and how that is known."""

    kind: str
    name: str | None
    where: str | None
    by: str


def examine(job: Job, running: Running, look: Look) -> Hang:
    """Asks the workers that are left for their stacks, and puts together what is known."""
    dump(running.folder, look.pids or {})
    running.output.read()
    found = records.read(running.folder)
    stalls = running.output.stalls(job.workers)
    exits = running.output.exits
    waiting = tuple(
        _waiting(rank, found.get(rank), look, stalls, exits, job) for rank in range(job.workers)
    )
    return Hang(look.seconds, waiting, stalls)


def dump(folder: Path, pids: Mapping[int, int]) -> None:
    """Has each worker write the stacks of its threads; comes back when they have been written."""
    asked = []
    for rank, pid in pids.items():
        path = folder / f"rank{rank}.stack"
        # The file is there once the probe listens; without it the signal would end the worker.
        if _is_own(path):
            os.truncate(path, 0)
            asked.append(path)
            _ask(pid)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and not _are_complete(asked):
        pass


def _are_complete(paths: Sequence[Path]) -> bool:
    """Looks for a while whether there is something in each file, and no more comes.

    The main thread's stack is written last, and the worker may have to wait for a core before.
    """
    before = [_size(path) for path in paths]
    time.sleep(SETTLED)
    return all(before) and before == [_size(path) for path in paths]


def _is_own(path: Path) -> bool:
    """Whether a file is there, and neither a link nor anything else in its place."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:  # the program has removed it
        return -1


def _ask(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGUSR2)
    except OSError:
        return


def _waiting(
    rank: int,
    worker: Worker | None,
    look: Look,
    stalls: tuple[Stall, ...],
    exits: Mapping[int, int],
    job: Job,
) -> Waiting:
    steps = (look.steps or {}).get(rank)
    living = rank in (look.pids or {})
    if worker is None:
        return Waiting(rank, steps=steps, ended=not living, idle=rank in look.idle)
    if not living and (worker.all(End) or rank in exits):
        code = exits.get(rank, 0)
        return Waiting(rank, steps=steps, exit_code=code, ended=True)
    held = (
        blocked(worker) or _stalled_collective(rank, stalls) or _by_stack(worker, rank in look.idle)
    )
    return Waiting(
        rank=rank,
        where=(held and held.where) or hanging_stacks.where(worker.stack, job.root),
        kind=held.kind if held else None,
        name=held.name if held else None,
        by=held.by if held else "",
        steps=steps,
        stack=worker.stack,
        idle=rank in look.idle,
    )


def blocked(worker: Worker) -> BlockingCollective | None:
    """The eager collective that a worker called and that has not come back."""
    for event in reversed(worker.events):
        if isinstance(event, Done):
            return None
        if isinstance(event, Blocked):
            return BlockingCollective(event.kind, event.name, event.where, "record")
    return None


def _stalled_collective(rank: int, stalls: tuple[Stall, ...]) -> BlockingCollective | None:
    """A collective that Horovod says others are missing in."""
    for stall in stalls:
        operation = _OPERATION.search(stall.name)
        if rank in stall.ready and operation:
            return BlockingCollective(operation[1].lower(), stall.name, None, "stall")
    return None


def _by_stack(worker: Worker, idle: bool) -> BlockingCollective | None:
    kind = hanging_stacks.collective(worker.stack)
    if kind:
        return BlockingCollective(kind, None, None, "stack")
    traced = [event for event in worker.all(Collective) if event.traced]
    if not (idle and traced and hanging_stacks.calls(worker.stack, _EXECUTES)):
        return None
    # A graph that holds collectives and uses no processor time waits in one of them.
    kinds = {event.kind for event in traced}
    kind = kinds.pop() if len(kinds) == 1 else "collective"
    seen, data = worker.all(Function), worker.all(Iteration)
    memory = bool(data) and all(each.memory for each in data)
    closed = bool(seen) and all(each.closed or (each.data and memory) for each in seen)
    return BlockingCollective(kind, None, None, "closed" if closed else "graph")


def certain(hang: Hang) -> bool:
    """Whether every worker is in a collective or has ended: then nothing can move any more.

    Where all have ended nobody waits: the launcher is about to end, too.
    """
    still = all(each.kind or each.ended for each in hang.workers)
    return still and not all(each.ended for each in hang.workers)


def waits(hang: Hang) -> bool:
    """Whether it is certain before the timeout: some worker waits in a call that was seen.

    A compiled graph that stands still may wait for its data, unless another has ended, or the
    probe has seen that nothing in it can wait but collectives.
    """
    known = [each.by in ("record", "stall", "stack", "closed") for each in hang.workers]
    ended = [each.ended for each in hang.workers]
    whole = all(one or other for one, other in zip(known, ended))
    return certain(hang) and any(known) and (whole or any(ended))
