"""Runs programs on one process and on Horovod workers, and reads what the probe saw."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
PROBE = HERE / "probe"
BIN = Path(sys.executable).parent
# On a busy machine: DISTIFY_PATIENCE=4 waits four times as long before a run counts as hung.
PATIENCE = float(os.environ.get("DISTIFY_PATIENCE", "1"))
QUIET = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    # Three workers on two cores: more threads would only wait for one another.
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
}


@dataclass(frozen=True)
class Rank:
    """What the probe wrote about one worker."""

    steps: list[int]
    hashes: dict[str, str]
    examples: frozenset[str]
    values: dict[str, Any]


@dataclass(frozen=True)
class Run:
    """One run of a program: its exit code (None if it had to be killed), output and workers."""

    code: int | None
    output: str
    seconds: float
    ranks: tuple[Rank, ...]

    @property
    def hung(self) -> bool:
        return self.code is None

    @property
    def in_step(self) -> bool:
        """Whether all workers hold the same trainable variables and slots, to the last bit."""
        return all(r.hashes == self.ranks[0].hashes for r in self.ranks) and bool(self.ranks)

    def differing(self) -> list[str]:
        first = self.ranks[0].hashes
        names = sorted(set().union(*(r.hashes for r in self.ranks)))
        return [n for n in names if any(r.hashes.get(n) != first.get(n) for r in self.ranks)]


def _rank(folder: Path, number: int) -> Rank:
    said = json.loads((folder / f"rank{number}.json").read_text())
    with np.load(folder / f"rank{number}.npz") as values:
        return Rank(said["steps"], said["hashes"], frozenset(said["examples"]), dict(values))


def _ranks(folder: Path) -> tuple[Rank, ...]:
    return tuple(_rank(folder, n) for n in range(len(list(folder.glob("rank*.json")))))


def _of_run(token: str) -> Iterator[int]:
    """The processes of one run: they inherit its token, even where they left its group."""
    mark = f"PROBE_TOKEN={token}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                yield int(entry.name)
        except OSError:
            continue  # gone, or somebody else's


def _end(process: subprocess.Popen[bytes], token: str) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in [*_of_run(token)]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            continue
        if not any(_of_run(token)):
            return


def launch(
    program: Path,
    *arguments: str,
    workers: int = 1,
    folder: Path,
    timeout: float = 120,
    perturb: bool = False,
    environment: Mapping[str, str] | None = None,
) -> Run:
    """Runs a program in `folder`, on `workers` Horovod workers (1: plain Python)."""
    out, cwd, token = folder / "probe", folder / "cwd", uuid.uuid4().hex
    for made in (out, cwd):
        made.mkdir(parents=True)
    command: Sequence[str] = [sys.executable, str(program), *arguments]
    if workers > 1:
        command = [str(BIN / "horovodrun"), "-np", str(workers), "--gloo", *command]
    env = {
        **os.environ,
        **QUIET,
        "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(PROBE),
        "PROBE_OUT": str(out),
        "PROBE_TOKEN": token,
        "PROBE_ALONE": str(int(workers == 1)),
        "PROBE_PERTURB": str(int(perturb)),
        **(environment or {}),
    }
    start, code = time.monotonic(), None
    with open(folder / "output.txt", "wb") as output:
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
        try:
            code = process.wait(timeout=timeout * PATIENCE)
        except subprocess.TimeoutExpired:
            pass
        finally:
            _end(process, token)
    text = (folder / "output.txt").read_text(errors="replace")
    ranks = _ranks(out) if code == 0 else ()
    return Run(code, text, time.monotonic() - start, ranks)


class Horovod:
    """Runs programs, each in a folder of its own below the test's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0

    def __call__(self, program: Path | str, *arguments: str, **options: Any) -> Run:
        """`program` is a path, or the text of a program."""
        self.runs += 1
        folder = self.folder / f"run{self.runs}"
        folder.mkdir()
        if isinstance(program, str):
            text, program = program, folder / "program.py"
            program.write_text(text)
        return launch(program, *arguments, folder=folder, **options)


@pytest.fixture
def run(tmp_path: Path) -> Horovod:
    """Runs a program: `run(path_or_text, *arguments, workers=2)`."""
    return Horovod(tmp_path)


def check_in_step(result: Run, workers: int) -> None:
    """Every worker ended well, with the same steps, variables and slots."""
    assert result.code == 0, (
        f"code {result.code} after {result.seconds:.0f} s\n{result.output[-6000:]}"
    )
    assert len(result.ranks) == workers, result.output[-3000:]
    steps = [rank.steps for rank in result.ranks]
    assert all(s == steps[0] for s in steps), f"steps differ: {steps}"
    assert steps[0], "no optimizer made a step"
    assert min(steps[0]) > 0, f"an optimizer made no step: {steps[0]}"
    assert not result.differing(), f"out of step: {result.differing()}"


def run_distify(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(BIN / "distify"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="session")
def distify() -> Any:
    """The command line."""
    return run_distify


@pytest.fixture(scope="session")
def migrate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Migrates a copy of a program with the command line, once."""
    folder = tmp_path_factory.mktemp("migrated")

    def copy_and_migrate(program: Path) -> Path:
        copy = folder / program.name
        if not copy.exists():
            copy.write_bytes(program.read_bytes())
            done = run_distify("migrate", str(copy))
            assert done.returncode == 0, done.stdout + done.stderr
            assert b"hvd.init()" in copy.read_bytes(), done.stdout
        return copy

    return copy_and_migrate


@pytest.fixture(name="in_step")
def _in_step() -> Any:
    return check_in_step


@pytest.fixture(name="launch", scope="session")
def _launch() -> Any:
    return launch
