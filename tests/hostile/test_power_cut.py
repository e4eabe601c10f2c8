"""Everything is killed at once, at a random moment of `--commit`: nothing is lost, and it mends.

A power cut ends distify, its guard and git's own commands alike, so nobody is left to tidy up but
the next run. What is lost with a disk's cache no test can show: the journal is synced before what
it is about.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import DISTIFY, PATIENCE, TRAIN, Checkout

FILES = 30
MARK = "HOSTILE_POWER_CUT"
COMMAND = (DISTIFY, "migrate", "--commit", "--no-cache", ".")
HOOK = "#!/bin/sh\ngit diff --cached --name-only > /dev/null\nsleep 0.02\n"


def at_work(mark: str) -> Iterator[int]:
    """The processes that carry the mark, zombies not counted."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            carries = f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0")
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            if carries and state not in "ZX":
                yield int(process.name)


def cut(mark: str) -> None:
    """Ends all of them as one: they are stopped before any may notice that another is gone."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for _ in range(3):
            for pid in at_work(mark):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
    until = time.monotonic() + PATIENCE
    while list(at_work(mark)):
        assert time.monotonic() < until
        for pid in at_work(mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def run(checkout: Checkout, scratch: Path, seconds: float) -> int | None:
    """The exit code of a run that came to its end before the cut; None of one that didn't."""
    mark = os.urandom(8).hex()
    env = {**checkout.env, MARK: mark, "TMPDIR": str(scratch)}
    process = subprocess.Popen(
        COMMAND, cwd=checkout.folder, env=env, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    code = process.poll()
    cut(mark)
    process.wait()
    return code


def files(checkout: Checkout) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(checkout.folder.glob("*.py"))}


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    made = tmp_path / "scratch"
    made.mkdir()
    return made


@pytest.mark.parametrize("hooks", [False, True], ids=["plain", "hooks"])
def test_a_power_cut(
    checkout: Checkout, scratch: Path, hooks: bool, pytestconfig: pytest.Config
) -> None:
    seed = int(os.environ.get("ATTACK_SEED", "43"))
    drawn = random.Random(f"{seed} {hooks}")
    checkout.commit(**{f"m{n}_py": TRAIN.replace("0.1", f"0.{n + 1}") for n in range(FILES)})
    if hooks:
        hook = checkout.write(".git/hooks/pre-commit", HOOK)
        hook.chmod(0o755)
    before, head = files(checkout), checkout.git("rev-parse", "HEAD")
    begun = time.monotonic()
    assert run(checkout, scratch, PATIENCE) == 0
    whole = time.monotonic() - begun
    after, tree = files(checkout), checkout.git("rev-parse", "HEAD^{tree}")
    assert before.keys() == after.keys()
    assert before != after
    ends = {"killed": 0, "over": 0}
    for number in range((pytestconfig.getoption("--kills") or 6) // 2 or 1):
        checkout.git("reset", "-q", "--hard", head)
        told = f"seed {seed}, kill {number}"
        code = run(checkout, scratch, drawn.uniform(0.2, 1.0) * whole)
        ends["killed" if code is None else "over"] += 1
        now = files(checkout)
        assert now.keys() == before.keys(), told
        for name, text in now.items():
            assert text in (before[name], after[name]), (told, name)
        checkout.git("cat-file", "-e", "HEAD^{tree}")
        # What any later command of distify begins with; one that has nothing to take back, too.
        answer = checkout.run(*COMMAND, env={"TMPDIR": str(scratch)})
        assert answer.code == 0, (told, answer)
        assert files(checkout) == after, told
        assert checkout.git("rev-parse", "HEAD^{tree}") == tree, told
        assert checkout.git("status", "--porcelain") == "", told
        assert checkout.git("fsck", "--no-dangling", "--no-progress") == "", told
        left = [path.name for path in checkout.folder.iterdir() if path.suffix != ".py"]
        assert left == [".git"], told
        assert not list(checkout.folder.glob(".git/**/*.lock")), told
        assert not (checkout.folder / ".git" / "distify" / "run").exists(), told
        assert not [each for each in scratch.iterdir() if each.name.startswith("distify")], told
        assert len(checkout.git("worktree", "list").splitlines()) == 1, told
    assert ends["killed"]


def test_who_has_nothing_to_commit_mends_all_the_same(checkout: Checkout, tmp_path: Path) -> None:
    """The run was killed after its last step, before it had tidied up."""
    from distify.assistant.git import guard

    checkout.commit(a_py="x = 1\n")
    assert checkout("migrate", "--commit", "a.py").code == 0
    checkout.commit(b_py=TRAIN)
    assert checkout("migrate", "--commit", "b.py").code == 0  # there is a key
    head, folder = checkout.git("rev-parse", "HEAD"), checkout.folder
    left = checkout.write(".distify-0-0.old", "old")
    key = (tmp_path / "home" / ".local" / "state" / "distify" / "key").read_bytes()
    names = [f"{folder}/a.py", f"{folder}/.distify-0-0.tmp", str(left), "", ""]
    journal = {
        "top": str(folder), "folder": f"{folder}/.git", "index": f"{folder}/.git/index",
        "token": "0", "before": ["0", ""], "after": [head, "refs/heads/main"], "files": [names],
    }  # fmt: skip
    checkout.write(".git/distify/run/journal", guard.sealed(key, json.dumps(journal).encode()))
    assert checkout("migrate", "--commit", "a.py").code == 0
    assert not left.exists()
    assert not (folder / ".git" / "distify" / "run").exists()


@pytest.mark.parametrize("name", ["HEAD.lock", "refs/heads/main.lock"])
def test_a_lock_that_a_killed_git_left(checkout: Checkout, name: str, tmp_path: Path) -> None:
    """It goes if a journal of ours is older than it; another one is somebody else's."""
    from distify.assistant.git import guard

    head = checkout.commit(a_py=TRAIN)
    assert checkout("migrate", "--check", "a.py").code == 1
    lock = checkout.write(f".git/{name}", "")
    assert checkout("migrate", "--commit", "a.py").code == 2
    assert lock.exists()
    key = (tmp_path / "home" / ".local" / "state" / "distify" / "key").read_bytes()
    journal = checkout.write(".git/distify/run/journal", b"")
    folder = checkout.folder
    told = (
        f'{{"top": "{folder}", "folder": "{folder}/.git", "index": "{folder}/.git/index", '
        f'"token": "0", "before": ["{head}", "refs/heads/main"], '
        f'"after": ["{head}", "refs/heads/main"]}}'
    )
    journal.write_bytes(guard.sealed(key, told.encode()))
    os.utime(journal, (1, 1))
    assert checkout("migrate", "--commit", "a.py").code == 0
    assert not lock.exists()
