"""The processes of a run: which there are, and how they all end.

A process is known by a token in its environment, which it inherits from the process that started
it, and by descent: a process that was started with an empty environment is still a child. If its
parent ends, it becomes a child of distify on Linux, as `adopting` says (prctl(2), a "subreaper").

psutil reads and signals processes (https://psutil.readthedocs.io, "Process class"). It compares
the start of a process before a signal, so that a process that got an old id is never hit. Between
two calls a process may end (NoSuchProcess, ZombieProcess), and processes of other users can't be
read (AccessDenied); now and then a bare OSError of /proc comes through. A process that can't be
read is no carrier of the token; one that can't be signalled is found again by the next look.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Callable

import psutil

MARK = "DISTIFY_PROBE_TOKEN"
GRACE = 3.0  # seconds between the request to end and the end
PAUSE = 0.05
EMPTY = 2  # looks that find no process: one may have started another in between
CERTAIN = 10.0  # seconds for the last look; only a process stuck in the kernel outlives it
SET_SUBREAPER, GET_SUBREAPER = 36, 37  # linux/prctl.h
_ENDED = frozenset((psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD))
_UNREADABLE = (psutil.Error, OSError)
_Parents = Mapping[psutil.Process, int]


class Survivors(RuntimeError):
    """Processes that could not be ended (one may be stuck in the kernel)."""


class Family:
    """All processes of one run, also those that left it in every way they can."""

    def __init__(self, token: str, besides: Iterable[int] = ()) -> None:
        self.token = token
        self.besides = frozenset((os.getpid(), *besides))  # other processes of distify itself
        self._known: frozenset[psutil.Process] = frozenset()
        self._strangers = frozenset(psutil.Process().children())  # distify's from before the run
        self._adopted = _own_children()

    def look(self) -> set[int]:
        """The ids of the processes that are there now; a descendant once found stays known."""
        parents = _parents()
        found = set(filter(self._belongs, parents)) | (self._known & parents.keys())
        found |= self._orphans(parents)
        while True:
            ids = {process.pid for process in found}
            more = {each for each, parent in parents.items() if parent in ids} - found
            if not more:
                break
            found |= more
        self._known = frozenset(each for each in found if each.pid not in self.besides)
        return {process.pid for process in self._known}

    def _belongs(self, process: psutil.Process) -> bool:
        return _token(process) == self.token

    def _orphans(self, parents: _Parents) -> set[psutil.Process]:
        """Processes that distify got as their parents ended; another run's carry its token."""
        new = _children(parents) - self._strangers
        return {process for process in new if _token(process) in (None, self.token)}

    def end(self, hurry: Callable[[], bool], group: int = 0, grace: float = GRACE) -> None:
        """Asks all to end, then makes them; `hurry` cuts the grace short. Raises Survivors.

        `group` is that of the command, whose members need not be found one by one.
        """
        self._request(hurry, grace)
        until, empty = time.monotonic() + CERTAIN, 0
        while empty < EMPTY:
            left = self.look()
            self._kill_group(group)
            self._signal(signal.SIGKILL)
            left |= self._kill_adopted()
            empty = 0 if left else empty + 1
            if left and time.monotonic() > until:
                raise Survivors(f"could not be ended: {', '.join(map(str, sorted(left)))}")

    def _kill_adopted(self) -> set[int]:
        """What distify adopted in the next moment, each killed as it came.

        A process that forks and ends each moment is gone before a look at all of them is over.
        """
        chased, until = set[int](), time.monotonic() + PAUSE
        while time.monotonic() < until:
            new = _own_children() - self._adopted - self.besides
            for pid in filter(self._is_of_the_run, new):
                chased.add(pid)
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)  # a child's id is its own until it is waited for
            self._adopted |= new
            time.sleep(0)
        return chased

    def _is_of_the_run(self, pid: int) -> bool:
        """Whether a child carries the token; one that ended as it was read may have."""
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            return False
        return f"{MARK}={self.token}".encode() in environment

    def _request(self, hurry: Callable[[], bool], grace: float) -> None:
        """Asks all to end, the stopped ones as well, and waits until they have, or for `grace`."""
        for number in (signal.SIGTERM, signal.SIGCONT):
            self.look()
            self._signal(number)
        until = time.monotonic() + grace
        while time.monotonic() < until and not hurry() and self.look():
            time.sleep(PAUSE)

    def _kill_group(self, group: int) -> None:
        """Ends the group at once, if one of the run is in it: its number may be used again."""
        with contextlib.suppress(OSError):  # nobody is left in it
            if group > 1 and any(_group(process.pid) == group for process in self._known):
                os.killpg(group, signal.SIGKILL)

    def _signal(self, number: int) -> None:
        """Signals each process that the last look found."""
        for process in self._known:
            with contextlib.suppress(*_UNREADABLE):
                process.send_signal(number)


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return 0


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """While it lasts, a process of a run whose parent has ended is a child of distify (on Linux).

    psutil has no prctl(2).
    """
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


def carriers(token: str) -> Iterator[int]:
    """The ids of the processes that have the token in their environment, without zombies."""
    return (process.pid for process in _parents() if _token(process) == token)


def alive(pid: int) -> bool:
    """Whether a process of this id is there and is no zombie."""
    try:
        return psutil.Process(pid).status() not in _ENDED
    except _UNREADABLE:
        return False


def _parents() -> dict[psutil.Process, int]:
    """Every process that is there and is no zombie, with the id of its parent.

    psutil remembers processes from call to call. One that got the id of another is left out of one
    call, where `ppid` notices it, and is in the next: `end` looks again before it is content.
    """
    found = {}
    for process in psutil.process_iter():
        with contextlib.suppress(*_UNREADABLE), process.oneshot():
            if process.status() not in _ENDED:
                found[process] = process.ppid()
    return found


def _own_children() -> frozenset[int]:
    """The ids of this process's children, those that ended, too; on Linux only (proc(5)).

    It takes a look at one file, where psutil looks at every process.
    """
    try:
        listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text("ascii")
    except OSError:  # no Linux, or one built without it
        return frozenset()
    return frozenset(map(int, listed.split()))


def _children(parents: _Parents) -> frozenset[psutil.Process]:
    return frozenset(process for process, parent in parents.items() if parent == os.getpid())


def _token(process: psutil.Process) -> str | None:
    """The token in a process's environment; None where there is none, or it can't be read."""
    try:
        return process.environ().get(MARK)
    except _UNREADABLE:
        return None
