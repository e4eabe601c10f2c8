"""Watches a run: how far its workers are, and whether they still get anywhere."""

from __future__ import annotations

import json
import os
import socket
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Protocol

from . import bounds
from .busy import Meter
from .interrupt import Interrupt
from .launch import Running
from .processes import alive

TICK, LOOK, ASK = 0.1, 1.0, 15.0  # seconds: for the end, everything else, and `stuck`
ASKING = 5  # times as long as it took to ask is waited, before it is asked again
EARLY = 15.0  # seconds after which workers that all wait for each other are not waited for longer
PATIENCE = 5  # timeouts without a step, even if something is being computed
BLIPS = 0.2  # of all looks: one that waits may still tidy up
PREPARING = 20  # the same before the first step: data may have to be prepared
TALKING = 60  # the same of a program that prints all the time, at whichever step
FIRST = 1 << 16  # characters of the line by which a worker says who it is


class Teller(Protocol):
    """Receives what is being done, and how far each worker is."""

    def phase(self, name: str, workers: int) -> None:
        """Something begins: with so many processes."""

    def steps(self, steps: Mapping[int, int]) -> None:
        """Optimizer steps so far, by rank."""


class Silent:
    """A teller for programs."""

    def phase(self, name: str, workers: int) -> None:
        """Drops it."""

    def steps(self, steps: Mapping[int, int]) -> None:
        """Drops it."""


@dataclass(frozen=True)
class Rules:
    """When to give up. `stuck` says of a run before its first step if nothing can move any more:
    a worker may be idle as it downloads its data. `waits` is asked earlier, of one that stands
    still: whether every worker is known to wait for another, or has ended."""

    timeout: float
    workers: int
    most: float = bounds.DAY  # seconds, whatever moves; 0: no limit
    spins: bool = False  # MPI computes while it waits: nobody ever looks idle
    stuck: Callable[[Look], bool] = bool
    launched: bool = False  # the command is not the program itself
    waits: Callable[[Look], bool] | None = None


@dataclass(frozen=True)
class Look:
    """What became of a run: how it ended, or for how long nothing has moved."""

    ending: str  # "ended", "hang", "interrupted", "endless"
    code: int | None = None
    seconds: float = 0.0  # without a step
    steps: Mapping[int, int] | None = None
    idle: frozenset[int] = frozenset()  # ranks
    pids: Mapping[int, int] | None = None  # of the ranks that are still there, on this machine
    endless: str = ""  # what it did too much of, in words


class Watch:
    """Looks at a run once a second, until something is to be done."""

    def __init__(self, running: Running, rules: Rules, tell: Teller) -> None:
        self.running, self.rules, self.tell = running, rules, tell
        self.steps: dict[int, int] = {}
        self.pids: dict[int, int] = {}
        self._members: set[int] = set()
        self._meter = Meter()
        self._at = self._moved = self._printed = self._begun = time.monotonic()
        self._looks: deque[tuple[float, frozenset[int]]] = deque()  # when, and which ranks computed
        self._asked = self._asked_early = 0.0
        self._still: frozenset[int] = frozenset()  # none of them computed, whatever it did before

    def until_decided(self, interrupt: Interrupt) -> Look:
        """Comes back when the run has ended, hangs, or is to be interrupted."""
        while True:
            code = self.running.process.poll()
            if code is not None:
                return self._look_of("ended", code)
            if interrupt.asked:
                return self._look_of("interrupted")
            if time.monotonic() - self._at >= LOOK:
                self._look()
                if why := self._endless():
                    return replace(self._look_of("endless"), endless=why)
                if self._hangs():
                    return self._look_of("hang")
            time.sleep(TICK)

    def _endless(self) -> str:
        seconds = time.monotonic() - self._begun
        printed = self.running.output.size()
        why = bounds.exceeded(self.running.folder, printed, seconds, self.rules.most)
        return why or (bounds.held(self.running.process.pid) if self.rules.launched else "")

    def _look_of(self, ending: str, code: int | None = None) -> Look:
        self.running.output.read()
        self._read_steps()
        since = time.monotonic() - self._moved
        return Look(ending, code, since, dict(self.steps), self._idle(), self._living())

    def _look(self) -> None:
        if self.running.output.read():
            self._printed = time.monotonic()
        self._members = self.running.family.look()
        if self._read_steps():
            self._moved = time.monotonic()
        self._find_workers()
        self._measure()
        self.tell.steps(self.steps)

    def _read_steps(self) -> bool:
        before = dict(self.steps)
        for rank in range(self.rules.workers):
            for steps in _numbers(self.running.folder / f"rank{rank}.progress"):
                self.steps[rank] = steps
        return self.steps != before

    def _find_workers(self) -> None:
        for rank in range(self.rules.workers):
            if rank not in self.pids:
                pid = _pid(self.running.folder / f"rank{rank}.jsonl")
                if pid in self._members:
                    self.pids[rank] = pid
                    self._moved = time.monotonic()

    def _living(self) -> dict[int, int]:
        return {rank: pid for rank, pid in self.pids.items() if alive(pid)}

    def _measure(self) -> None:
        """Notes which ranks computed since the last look."""
        self._at = time.monotonic()
        idle = self._meter.idle({pid: self._threads(rank) for rank, pid in self.pids.items()})
        self._looks.append((self._at, frozenset(r for r, p in self.pids.items() if p not in idle)))
        while self._looks[0][0] < self._at - self.rules.timeout:
            self._looks.popleft()

    def _threads(self, rank: int) -> frozenset[int]:
        """Horovod's own ones, once there are any."""
        return _numbers(self.running.folder / f"rank{rank}.threads")

    def _idle(self) -> frozenset[int]:
        """The ranks that are there and did next to nothing in the last `timeout` seconds, or for
        as long as is waited for workers that all wait for each other.
        """
        most = BLIPS * len(self._looks)
        living = self._living()
        quiet = (r for r in living if sum(r in busy for _, busy in self._looks) <= most)
        return self._still.union(quiet)

    def _is_quiet(self) -> bool:
        """Whether nobody computed. A worker that is not seen (it runs on another machine, or has
        not yet started) is not known to be idle."""
        gone = self.pids.keys() - self._living().keys()
        return len(self._idle() | gone) == self.rules.workers

    def _hangs(self) -> bool:
        now, timeout = time.monotonic(), self.rules.timeout
        still = now - max(self._moved, self._printed)
        quiet = now - self._moved >= timeout and self._is_quiet()
        begun = any(self.steps.values())
        if self._waits():
            return True
        if self.running.process.poll() is not None:
            return False  # it ended while it was asked
        if quiet and (begun or self._stuck()):
            return True
        patient = begun or self.rules.spins or quiet
        if now - self._moved >= timeout * TALKING:
            return True
        return still >= timeout * (PATIENCE if patient else PREPARING)

    def _waits(self) -> bool:
        """Whether nobody has moved or computed for a while, and all are known to wait."""
        now, early = time.monotonic(), min(EARLY, self.rules.timeout)
        if self.rules.waits is None or len(self.pids) < self.rules.workers:
            return False  # one that has not begun is waited for
        if now - max(self._moved, self._asked_early) < early:
            return False
        recent = [busy for at, busy in self._looks if at > now - early]
        computing = {rank for rank in self._living() for busy in recent if rank in busy}
        counted = {r: sum(r in busy for busy in recent) for r in computing}
        if any(count > BLIPS * len(recent) for count in counted.values()):
            return False
        self._still = frozenset(self._living())
        sure = self.rules.waits(self._look_of("hang"))
        self._still = self._still if sure else frozenset()
        took = time.monotonic() - now
        self._asked_early = time.monotonic() + ASKING * took
        return sure

    def _stuck(self) -> bool:
        now = time.monotonic()
        if now - self._asked < ASK:
            return False
        self._asked = now
        return self.rules.stuck(self._look_of("hang"))


def _numbers(path: Path) -> frozenset[int]:
    """What the probe wrote there; nothing as long as it is at it."""
    try:
        return frozenset(map(int, bounds.text(path).split()))
    except ValueError:
        return frozenset()


def _pid(records: Path) -> int:
    """The process that writes these records, if it runs on this machine; else 0."""
    try:
        start = json.loads(next(bounds.lines(records, FIRST), ""))
    except (OSError, ValueError, RecursionError):
        return 0
    if not isinstance(start, dict):
        return 0
    here = start.get("host") in (None, socket.gethostname(), os.uname().nodename)
    pid = start.get("pid")
    return pid if here and isinstance(pid, int) else 0
