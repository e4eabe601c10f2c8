"""Ctrl-C, or a runner that sends it to distify alone: all is as before, and nothing works on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from distify.assistant.git.repository import find
from distify.assistant.git.session import Session

from ..conftest import TRAIN, Call
from .conftest import Git
from .test_hooks import hook

# The interrupt comes between the two steps in which `subprocess` takes a lock.
AT_THE_WRONG_MOMENT = """
import subprocess
import git.cmd  # it calls git, too
from distify.assistant.git.repository import git

real = subprocess.Popen.wait

def wait(self, timeout=None):
    subprocess.Popen.wait = real
    self._waitpid_lock.acquire()
    raise KeyboardInterrupt

subprocess.Popen.wait = wait
try:
    git(".", "version")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_no_lock_is_waited_for() -> None:
    command = [sys.executable, "-c", AT_THE_WRONG_MOMENT]
    said = subprocess.run(command, capture_output=True, check=True, timeout=20).stdout
    assert said == b"interrupted\n"


def test_undo_says_so_while_it_starts(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.delattr("distify.assistant.git.undo", raising=False)
    monkeypatch.setitem(sys.modules, "distify.assistant.git.undo", Interrupted())
    answer = call("undo")
    assert answer.exit_code == 130
    assert answer.stderr.startswith("interrupted; ")


# A hook that can't be stopped at once, as one of pre-commit that puts the user's changes back.
SLOW = """\
trap '' INT TERM
folder=$PWD
kill -INT {pid}
for number in 1 2 3 4 5 6 7 8 9 10; do
    mkdir -p "$folder/more/$number"
    sleep 0.1
done
touch {end}
"""


@pytest.fixture
def heard() -> Iterator[None]:
    """A shell lets what it starts in the background ignore interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_what_a_hook_still_writes_is_taken_away(
    git: Git, call: Call, heard: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    git.commit(a_py=TRAIN)
    end = tmp_path / "end"
    hook(git, "pre-commit", SLOW.format(pid=os.getpid(), end=end))
    before = git.state()
    answer = call("migrate", "--commit", "a.py")
    assert answer.exit_code == 130, answer.output
    until = time.monotonic() + 30
    while not end.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert git.state() == before
    assert not list(scratch.iterdir())


def test_before_the_guard_is_there(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "_start_guard", interrupted)
    with pytest.raises(KeyboardInterrupt), Session(find(str(git.folder))):
        pass
    assert not (git.folder / ".git" / "distify" / "run").exists()
