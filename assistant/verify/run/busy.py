"""How busy processes are: whether they compute, or wait for something that may never come.

Processor time alone does not tell: where too many processes want it, one that computes gets little.
So on Linux the time that a thread was ready to run counts, too, but not for a thread that only
polls.

psutil tells what a thread or a process used, but neither how long a thread was ready to run nor how
often it gave way: these two are read from /proc here.

Horovod's own threads don't count at all. They look for work a thousand times a second as long as
they live (Horovod 0.28.1 on Gloo: 12 % of a core that is free, more of one that is not), and tell
nothing of what the worker itself does. The probe says which ones they are.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import psutil

from .processes import alive

# Seconds between two times that a thread gives way by itself. One that computes seldom does; one
# that polls runs for 0.1 ms each time, and on a virtual machine with busy neighbours for longer.
POLL = 1e-3
IDLE = 0.35  # of a core, by all threads of a process that count

_PROC = Path("/proc")
Processes = Mapping[int, Collection[int]]  # each with those of its threads that don't count
Sample = tuple[float, float, int]  # seconds that it ran, that it had to wait, how often it gave way


class Meter:
    """Measures from one look to the next."""

    def __init__(self) -> None:
        self._threads: dict[tuple[int, int], Sample] = {}
        self._spent: dict[int, float] = {}
        self._at = time.monotonic()

    def idle(self, pids: Processes) -> frozenset[int]:
        """The processes that did next to nothing since the last look; none that has ended."""
        now = time.monotonic()
        seconds, self._at = max(now - self._at, 1e-3), now
        used = self._by_thread(pids) if _PROC.is_dir() else self._by_process(pids)
        return frozenset(pid for pid in pids if alive(pid) and used.get(pid, 0) < IDLE * seconds)

    def _by_thread(self, pids: Processes) -> dict[int, float]:
        before, self._threads = self._threads, dict(_samples(pids))
        used = dict.fromkeys(pids, 0.0)
        for (pid, thread), sample in self._threads.items():
            used[pid] += busy(before.get((pid, thread), (0.0, 0.0, 0)), sample)
        return used

    def _by_process(self, pids: Processes) -> dict[int, float]:
        before, self._spent = self._spent, dict(_seconds(pids))
        return {pid: seconds - before.get(pid, 0.0) for pid, seconds in self._spent.items()}


def busy(before: Sample, after: Sample) -> float:
    """Seconds that a thread had something to do between two samples."""
    ran, waited, gave_way = (new - old for new, old in zip(after, before))
    return ran if ran < POLL * gave_way else ran + waited


def _seconds(pids: Processes) -> Iterator[tuple[int, float]]:
    """The processor time that each process has used, where that of its threads can't be read."""
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            used = psutil.Process(pid).cpu_times()
            yield pid, used.user + used.system


def _samples(pids: Processes) -> Iterator[tuple[tuple[int, int], Sample]]:
    for pid, without in pids.items():
        with contextlib.suppress(psutil.Error, OSError):  # the process has ended
            for thread in psutil.Process(pid).threads():
                if thread.id not in without:
                    used = thread.user_time + thread.system_time
                    yield (pid, thread.id), _sample(_PROC / f"{pid}/task/{thread.id}", used)


def _sample(folder: Path, used: float) -> Sample:
    """What /proc says of a thread; what it used, where a kernel has no such statistics."""
    try:
        ran, waited, _ = map(int, (folder / "schedstat").read_text().split())
        status = (folder / "status").read_text(errors="replace")
    except (OSError, ValueError):
        return used, 0.0, 0
    return ran / 1e9, waited / 1e9, _gave_way(status)


def _gave_way(status: str) -> int:
    """How often a thread went to sleep by itself, rather than for others to have their turn."""
    found = re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.MULTILINE)
    return int(found[1]) if found else 0
