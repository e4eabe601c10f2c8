"""A launcher that starts plain Pythons as Horovod's does, so that no test here needs Horovod."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable

import pytest

from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.run import processes
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.program_python import Setting
from distify.assistant.verify.run.whole_job import run

# What horovodrun --gloo does, as far as distify sees it (horovod/runner/gloo_run.py).
LAUNCHER = """\
import os, subprocess, sys, threading, time

arguments = sys.argv[1:]
size = int(arguments[arguments.index("-np") + 1])
program = arguments[arguments.index(sys.executable):]

def start(rank):
    environment = {**os.environ, "HOROVOD_RANK": str(rank), "HOROVOD_SIZE": str(size)}
    return subprocess.Popen(
        program, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )

def forward(rank, worker):
    for line in worker.stdout:
        sys.stdout.write(f"[{rank}]<stdout>:{line}")
        sys.stdout.flush()

workers = [start(rank) for rank in range(size)]
for rank, worker in enumerate(workers):
    threading.Thread(target=forward, args=(rank, worker), daemon=True).start()
failed = None
while any(worker.poll() is None for worker in workers):
    for rank, worker in enumerate(workers):
        if worker.poll() and failed is None:
            failed = rank
            print(f"Process {rank} exit with status code {worker.returncode}.", flush=True)
            print(f"Terminating remaining workers after failure of Process {rank}.", flush=True)
            for other in workers:
                other.terminate()
    time.sleep(0.05)
time.sleep(0.2)
if failed is None and any(worker.returncode for worker in workers):
    failed = next(rank for rank, worker in enumerate(workers) if worker.returncode)
    print(f"Process {failed} exit with status code {workers[failed].returncode}.", flush=True)
sys.exit(failed is not None)
"""

# Every program of these tests says who it is, and can pretend to have made steps.
PREAMBLE = """\
import os, signal, subprocess, sys, time

RANK = int(os.environ.get("HOROVOD_RANK", "0"))

def here(pid=None):
    with open(os.path.join(PIDS, str(pid or os.getpid())), "w"):
        pass

def steps(count):
    with open(os.path.join(os.environ["DISTIFY_PROBE"], f"rank{RANK}.progress"), "w") as file:
        file.write(str(count))

here()
"""
PREAMBLE_LINES = PREAMBLE.count("\n") + 1  # and one that says where PIDS is


class World:
    """A folder with a program and a launcher, and the processes that were seen in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pids = folder / "pids"
        self.pids.mkdir()
        self.launcher = folder / "horovodrun"
        self.launcher.write_text(f"#!{sys.executable}\n{LAUNCHER}")
        self.launcher.chmod(0o755)
        self.setting = Setting(sys.executable, (sys.executable, str(self.launcher)))
        self.runs = 0

    def program(self, text: str, name: str = "train.py") -> Path:
        path = self.folder / name
        path.write_text(f"PIDS = {str(self.pids)!r}\n{PREAMBLE}{textwrap.dedent(text)}")
        return path

    def job(self, text: str, **options: Any) -> Job:
        return replace(Job(self.program(text), timeout=2.0, reference=False), **options)

    def run(self, text: str, **options: Any) -> Evidence:
        """Runs a program (its first line is number `first_line`)."""
        self.runs += 1
        return run(self.job(text, **options), self.setting, self.folder / f"records{self.runs}")

    first_line = PREAMBLE_LINES + 1

    def seen(self) -> set[int]:
        """Every process that a program said to have started."""
        return {int(path.name) for path in self.pids.iterdir()}

    def left(self) -> set[int]:
        return {pid for pid in self.seen() if processes.alive(pid)}

    def wait_for(self, there: Callable[[], bool], seconds: float = 20.0) -> bool:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if there():
                return True
            time.sleep(0.02)
        return there()


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.chdir(tmp_path)
    made = World(tmp_path)
    yield made
    for pid in made.left():  # a test that failed leaves nothing behind either
        os.kill(pid, 9)
