"""Runs distify and lets something happen to it; waits until nothing of it is at work any more."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

KILLED = Path(__file__).with_name("killed.py")
HOWS = ("kill", "term", "full")
NEVER = 10**9
PATIENCE = 300.0  # seconds; nothing hangs on how fast the machine is


def run(
    folder: Path, how: str, at: int, *arguments: str, env: Mapping[str, str] | None = None
) -> tuple[int, int]:
    """The exit code, and the events of a run that came to its end (0 of one that did not)."""
    told = folder.with_name("events")
    told.unlink(missing_ok=True)
    command = [sys.executable, str(KILLED), how, str(at), str(told), *arguments]
    done = subprocess.run(
        command, cwd=folder, env=dict(env or os.environ), capture_output=True, timeout=PATIENCE
    )
    settle(folder)
    said = os.fsdecode(done.stdout + done.stderr)
    assert "Traceback" not in said, said
    return done.returncode, int(told.read_text()) if told.exists() else 0


def settle(folder: Path) -> None:
    """Waits for what outlives the process: git's commands, and the guard that ends a move."""
    until = time.monotonic() + PATIENCE
    while any(at_work(folder)):
        assert time.monotonic() < until, "something of it hangs"
        time.sleep(0.01)


def at_work(folder: Path) -> Iterator[int]:
    """Processes in the repository, or told of it by an argument (Linux tells; else none)."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            current = Path(os.readlink(process / "cwd"))
            inside = folder == current or folder in current.parents
            named = os.fsencode(folder) in (process / "cmdline").read_bytes()
            if (inside or named) and int(process.name) != os.getpid():
                yield int(process.name)


def moments(config: pytest.Config, what: str, events: int, fixed: int) -> list[int]:
    """The numbers of the events at which it happens: a few, always the same; more for a night."""
    count = config.getoption("--kills") or fixed
    if count >= events:
        return list(range(1, events + 1))
    drawn = random.Random(what).sample(range(1, events + 1), count)
    return sorted(drawn)
