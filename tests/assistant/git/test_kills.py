"""Killed at each event that writes, everything is as before or as after, never between.

The events are those that Python tells of (files opened for writing, renamed, linked, removed,
folders made, commands started, pipes written to); a command that was just started works on while
its parent is dead.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from distify.assistant.git.repository import find
from distify.assistant.git.session import Session

from .conftest import Git

NEVER = 10**9
slow = pytest.mark.slow
State = dict[str, object]
ZYGOTE = Path(__file__).with_name("zygote.py")
# A hook that runs for a while: what it was started by may be dead before it ends.
HOOK = "#!/bin/sh\ngit diff --cached --name-only >/dev/null\n"


class Zygote:
    def __init__(self, folder: Path) -> None:
        command = [sys.executable, str(ZYGOTE)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, text=True)
        self.folder = folder

    def run(self, what: str, at: int, how: str) -> int:
        """The child's status as os.wait has it, once its guard is gone, too."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{what} {at} {how}\n")
        self.process.stdin.flush()
        status = int(self.process.stdout.readline())
        self.rest()
        self.alone()
        return status

    def alone(self) -> None:
        """Waits for commands that nobody else waits for, as with distify and its guard dead.

        Git takes its locks away by their full names, so nobody may rename the folder before.
        """
        until = time.monotonic() + 30
        while any(self.at_work()):
            assert time.monotonic() < until, "a command hangs"
            time.sleep(0.005)

    def at_work(self) -> Iterator[int]:
        """The other processes with a current folder in the repository (Linux tells; else none)."""
        ours = {str(os.getpid()), str(self.process.pid)}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                current = Path(os.readlink(process / "cwd"))
                inside = self.folder == current or self.folder in current.parents
                if inside and process.name not in ours:
                    yield int(process.name)

    def rest(self) -> None:
        """Waits for the guard, which holds the lock as long as it lives."""
        lock = self.folder / ".git" / "distify" / "lock"
        until = time.monotonic() + 30
        while lock.exists():
            with lock.open() as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return
                except OSError:
                    assert time.monotonic() < until, "the guard hangs"
                    time.sleep(0.005)


@pytest.fixture
def zygote(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Zygote]:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    git.write("lib/b.py", "b = 0.1\n")
    git.write("lib/other.py", "other = 1\n")
    git.commit(a_py="a = 0.1\n")
    git.write("lib/other.py", "other = 2\n")  # somebody works on it
    zygote = Zygote(git.folder)
    yield zygote
    assert zygote.process.stdin
    zygote.process.stdin.close()
    zygote.process.wait()


def back(zygote: Zygote, what: str) -> None:
    assert zygote.run("branch" if what == "undo" else "undo", NEVER, "kill") == 0


def there_and_back(git: Git, zygote: Zygote, what: str) -> tuple[State, State]:
    """The state before and after, found out by doing it once; it is as before again."""
    if what == "undo":
        assert zygote.run("branch", NEVER, "kill") == 0
    before = git.state()
    assert zygote.run(what, NEVER, "kill") == 0
    after = git.state()
    assert after != before
    back(zygote, what)
    assert git.state() == before
    return before, after


def next_run(folder: Path) -> None:
    """What any later command of distify begins with."""
    with Session(find(str(folder))):
        pass


def next_run_elsewhere(folder: Path) -> None:
    """A container that was killed may have had the same folder under another name."""
    moved = folder.with_name("moved")
    folder.rename(moved)
    next_run(moved)
    moved.rename(folder)


@pytest.mark.parametrize(
    ("what", "how", "stride"),
    [
        pytest.param("commit", "kill", 1, marks=slow),
        pytest.param("undo", "kill", 1, marks=slow),
        ("branch", "kill", 5),
        *(pytest.param(what, "both", 7, marks=slow) for what in ("commit", "branch", "undo")),
        *(pytest.param(what, "fail", 5, marks=slow) for what in ("commit", "branch", "undo")),
        *(pytest.param(what, "moved", 9, marks=slow) for what in ("commit", "branch", "undo")),
        pytest.param("whole", "kill", 17, marks=slow),
        pytest.param("hooks", "kill", 19, marks=slow),
    ],
)
def test_nothing_is_ever_left_between(
    git: Git, zygote: Zygote, tmp_path: Path, what: str, how: str, stride: int
) -> None:
    if what == "hooks":
        git.write(".git/hooks/pre-commit", HOOK).chmod(0o755)
        what = "whole"
    before, after = there_and_back(git, zygote, what)
    seen = []
    for at in range(1, 1000, stride):
        status = zygote.run(what, at, "both" if how == "moved" else how)
        if how == "both":  # nobody is left but the next run
            next_run(git.folder)
        if how == "moved":
            next_run_elsewhere(git.folder)
        state = git.state()
        told = {key: [each[key] for each in (before, state, after)] for key in state}
        assert state in (before, after), f"between, at event {at}: {told}"
        assert not list((tmp_path / "scratch").glob("distify-*"))
        seen.append(state == after)
        if state == after:
            back(zygote, what)
        if status == 0:
            break
    assert seen[0] is False
    assert seen[-1] is True
    assert len(seen) > 5
