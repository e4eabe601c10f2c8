"""The processes of a run: who they are, how busy they are, and how they all end.

They are known by a token in their environment, which every process inherits from the one that
started it, and by descent: a process that was started with an empty environment is still a child.
If its parent ends, it becomes ours on Linux, as `adopting` says (prctl(2), a "subreaper").
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Callable

MARK = "DISTIFY_PROBE_TOKEN"
GRACE = 3.0  # seconds between the request to end and the end
PAUSE = 0.05
EMPTY = 2  # looks that find nobody: one may have started another behind our back in between
CERTAIN = 10.0  # seconds for the last look; only a process stuck in the kernel outlives it
SET_SUBREAPER, GET_SUBREAPER = 36, 37  # linux/prctl.h
_PROC = Path("/proc")


class Survivors(RuntimeError):
    """Processes that could not be ended (one may be stuck in the kernel)."""


class Family:
    """All processes of one run, also those that left it in every way they can."""

    def __init__(self, token: str, besides: Iterable[int] = ()) -> None:
        self.token, self.besides = token, frozenset(besides)  # others that we started ourselves
        self._known: dict[int, str] = {}  # a process id and its birth, as ids are used again
        self._strangers = _children(_parents())  # ours from before the run

    def look(self) -> set[int]:
        """The processes that are there now; descendants found once are kept in mind."""
        parents = _parents()
        found = set(carriers(self.token)) | self._orphans(parents)
        found |= {pid for pid, birth in self._known.items() if _birth(pid) == birth}
        while True:
            more = {pid for pid, parent in parents.items() if parent in found} - found
            if not more:
                break
            found |= more
        found -= {os.getpid(), *self.besides}
        self._known = {pid: birth for pid in found if (birth := _birth(pid))}
        return set(self._known)

    def _orphans(self, parents: Mapping[int, int]) -> set[int]:
        """Processes that became ours as their parents ended; another run's carry its token."""
        new = _children(parents) - self._strangers - self.besides
        return {pid for pid in new if not _carries_another(pid, self.token)}

    def end(self, hurry: Callable[[], bool], grace: float = GRACE) -> None:
        """Asks all to end, then makes them; `hurry` cuts the grace short. Raises Survivors."""
        _signal(self.look(), signal.SIGTERM)
        _signal(self.look(), signal.SIGCONT)
        until = time.monotonic() + grace
        while time.monotonic() < until and not hurry() and self.look():
            time.sleep(PAUSE)
        until, empty = time.monotonic() + CERTAIN, 0
        while empty < EMPTY:
            left = self.look()
            empty = 0 if left else empty + 1
            if left and time.monotonic() > until:
                raise Survivors(f"could not be ended: {', '.join(map(str, sorted(left)))}")
            _signal(left, signal.SIGKILL)
            if left or empty < EMPTY:
                time.sleep(PAUSE)


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """While it lasts, a process of a run whose parent has ended is a child of ours (on Linux)."""
    before = _set_subreaper(1)
    try:
        yield
    finally:
        if before == 0:
            _set_subreaper(0)


def _set_subreaper(wanted: int) -> int | None:
    """Whether this process was one before; None where the system knows no such thing."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    system, was = ctypes.CDLL(None), ctypes.c_int()
    if system.prctl(GET_SUBREAPER, ctypes.byref(was), 0, 0, 0):
        return None
    system.prctl(SET_SUBREAPER, wanted, 0, 0, 0)
    return was.value


def _children(parents: Mapping[int, int]) -> frozenset[int]:
    return frozenset(pid for pid, parent in parents.items() if parent == os.getpid())


def _carries_another(pid: int, token: str) -> bool:
    marks = [each for each in _environment(pid) if each.startswith(f"{MARK}=".encode())]
    return bool(marks) and marks != [f"{MARK}={token}".encode()]


def carriers(token: str) -> Iterator[int]:
    """The processes that have the token in their environment.

    The probe's `alive.py` has the same few lines: neither of the two may import the other.
    """
    mark = f"{MARK}={token}"
    if not _PROC.is_dir():
        for line in _output(["ps", "-A", "-E", "-ww", "-o", "pid=,command="]).splitlines():
            pid, *words = line.split()
            if mark in words:
                yield int(pid)
        return
    for entry in os.listdir(_PROC):
        if entry.isdigit() and mark.encode() in _environment(int(entry)):
            yield int(entry)


def _environment(pid: int) -> list[bytes]:
    try:
        return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return []  # gone, or somebody else's


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            continue


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on (proc(5)); [] for none and for zombies."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
    return [] if fields[0] in "ZX" else fields


def _birth(pid: int) -> str:
    if _PROC.is_dir():
        fields = _stat(pid)
        return fields[19] if fields else ""
    asked = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    found = _output(asked).strip()
    return "" if found.startswith("Z") else found.partition(" ")[2]


def alive(pid: int) -> bool:
    """Whether a process is there and is no zombie."""
    return bool(_birth(pid))


def _parents() -> dict[int, int]:
    if not _PROC.is_dir():
        lines = (line.split() for line in _output(["ps", "-A", "-o", "pid=,ppid="]).splitlines())
        return {int(pid): int(parent) for pid, parent in lines}
    numbers = (int(entry) for entry in os.listdir(_PROC) if entry.isdigit())
    return {pid: int(stat[1]) for pid in numbers if (stat := _stat(pid))}


def listed_seconds(pids: Iterable[int]) -> Iterator[tuple[int, float]]:
    """The processor time that each process has used so far, where there is no /proc."""
    for line in _output(["ps", "-A", "-o", "pid=,time="]).splitlines():
        pid, spent = line.split()
        if int(pid) in set(pids):
            yield int(pid), _seconds(spent)


def _seconds(spent: str) -> float:
    """`1:02.50`, `01:02:03` or `2-01:02:03` as seconds."""
    days, _, clock = spent.rpartition("-")
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total + float(days or 0) * 86_400


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
