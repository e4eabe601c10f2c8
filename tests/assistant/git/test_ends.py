"""Ended, asked to end, or out of space at any event, and twice at once: before or after.

Through the command line and with the real rules; `make test-kills` tries many more moments.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from killing import HOWS, NEVER, moments, run, settle

from .conftest import Git

EXAMPLE = Path(__file__).parents[3] / "examples" / "keras_callbacks.py"
COMMANDS = {
    "migrate": ("migrate", "."),
    "commit": ("migrate", "--commit", "."),
    "branch": ("migrate", "--commit", "--branch", "distify/migrate", "."),
    "undo": ("undo",),
}
FIXED = 2  # moments of each that the suite tries
slow = pytest.mark.slow
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who is at work")


@pytest.fixture(autouse=True)
def fake_engine() -> None:
    """The real one."""


def repository(git: Git, what: str) -> Git:
    """As it is before the command, beside `git`, to be copied."""
    for name in ("a.py", "lib/b.py", "lib/c.py"):
        git.write(name, EXAMPLE.read_bytes())
    git.commit()
    if what == "undo":
        assert run(git.folder, "none", NEVER, *COMMANDS["commit"])[0] == 0
    return git


def again(template: Git, number: int) -> Git:
    """A copy: each run begins alike."""
    folder = template.folder.with_name(f"copy-{number}")
    shutil.copytree(template.folder, folder, symlinks=True)
    git = Git(folder)
    git("status")  # the copy's files have other times than its index says
    return git


def leftovers(git: Git) -> list[str]:
    return [name for name in git.files() if "distify" in name]


@linux
@slow
@pytest.mark.parametrize(
    ("what", "how"),
    [(what, how) for what in COMMANDS for how in HOWS],
)
def test_all_is_as_before_or_as_after(
    git: Git, pytestconfig: pytest.Config, what: str, how: str
) -> None:
    template = repository(git, what)
    finished = again(template, 0)
    code, events = run(finished.folder, how, NEVER, *COMMANDS[what])
    assert code == 0
    before, after = template.state(), finished.state()
    assert before != after
    for at in moments(pytestconfig, f"{what} {how}", events, FIXED):
        ended = again(template, at)
        code, _ = run(ended.folder, how, at, *COMMANDS[what])
        state, files = ended.state(), ended.files()
        if how == "kill" and what == "migrate":  # each file for itself; the next run ends it
            both = (template.files(), finished.files())
            told = {name: data for name, data in files.items() if name in both[0]}
            assert all(data in (old[name] for old in both) for name, data in told.items()), at
        else:
            assert state in (before, after), f"between, at event {at}: {state}"
            assert not leftovers(ended), at
        if how == "full" and code == 0:
            assert state == after, at
        if state != after:  # the next run goes all the way
            assert run(ended.folder, "none", NEVER, *COMMANDS[what])[0] == 0, at
        assert ended.state() == after, at
        assert not leftovers(ended), at


@linux
@slow
@pytest.mark.parametrize("what", COMMANDS)
def test_two_at_once_are_like_one(git: Git, pytestconfig: pytest.Config, what: str) -> None:
    template = repository(git, what)
    finished = again(template, 0)
    assert run(finished.folder, "none", NEVER, *COMMANDS[what])[0] == 0
    for number in range(1, 1 + (pytestconfig.getoption("--kills") or 2)):
        both = again(template, number)
        command = [sys.executable, "-m", "distify.assistant", *COMMANDS[what]]
        pipe = subprocess.PIPE
        pair = [
            subprocess.Popen(command, cwd=both.folder, stdout=pipe, stderr=pipe) for _ in range(2)
        ]
        said = [process.communicate() for process in pair]
        settle(both.folder)
        assert not any(b"Traceback" in part for each in said for part in each), said
        assert 0 in [process.returncode for process in pair], said
        assert both.state() == finished.state(), said
        assert not leftovers(both)
