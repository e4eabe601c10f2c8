"""`distify pr`, ended at any event, out of space, twice at once: the next run makes it whole."""

from __future__ import annotations

import subprocess
import sys

import pytest

from killing import HOWS, NEVER, moments, run, settle

from .project import BRANCH, Project
from .server import TOKEN

FIXED = 2  # moments of each that the suite tries
slow = pytest.mark.slow
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who is at work")


def environment(project: Project) -> dict[str, str]:
    return {**project.env, "GITHUB_ACTIONS": "true", "GITHUB_TOKEN": TOKEN}


def clone(project: Project) -> tuple[str, ...]:
    """What must not change here, whatever becomes of the pull request."""
    folder = project.folder
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.glob("*.*") if p.is_file()}
    config = (folder / ".git" / "config").read_text()
    refs = project.git("for-each-ref", "refs/heads")
    locks = sorted(path.name for path in (folder / ".git").rglob("*.lock"))
    status = project.git("status", "--porcelain=v2", "--branch")
    return (repr(files), config, refs, repr(locks), status)


def begin_anew(project: Project) -> None:
    github = project.github
    github.pulls.clear()
    if github.head(BRANCH):
        github.git("update-ref", "-d", f"refs/heads/{BRANCH}")


def tree(project: Project) -> str:
    """What stands on the branch; empty without one."""
    github = project.github
    return github.git("rev-parse", f"{BRANCH}^{{tree}}") if github.head(BRANCH) else ""


@linux
@slow
@pytest.mark.parametrize(
    ("how", "options"), [*((how, ()) for how in HOWS), (HOWS[0], ("--sign-commits",))]
)
def test_the_next_run_makes_it_whole(
    project: Project, pytestconfig: pytest.Config, how: str, options: tuple[str, ...]
) -> None:
    before = clone(project)
    code, events = run(project.folder, how, NEVER, "pr", *options, env=environment(project))
    assert code == 0
    whole = tree(project)
    assert whole
    for at in moments(pytestconfig, " ".join(("pr", how, *options)), events, FIXED):
        begin_anew(project)
        code, _ = run(project.folder, how, at, "pr", *options, env=environment(project))
        assert clone(project) == before, at
        assert tree(project) in ("", whole), at
        assert len(project.github.pulls) <= 1, at
        if code == 0:
            assert len(project.github.pulls) == 1, at
        project.pr(*options)
        assert tree(project) == whole, at
        assert [pull["state"] for pull in project.github.pulls] == ["open"], at
        assert clone(project) == before, at


@linux
@slow
@pytest.mark.parametrize("options", [(), ("--sign-commits",)])
def test_two_at_once_open_one(
    project: Project, pytestconfig: pytest.Config, options: tuple[str, ...]
) -> None:
    before = clone(project)
    for _ in range(pytestconfig.getoption("--kills") or FIXED):
        begin_anew(project)
        command = [sys.executable, "-m", "distify.assistant", "pr", *options]
        pipe = subprocess.PIPE
        pair = [
            subprocess.Popen(
                command, cwd=project.folder, env=environment(project), stdout=pipe, stderr=pipe
            )
            for _ in range(2)
        ]
        said = [process.communicate() for process in pair]
        settle(project.folder)
        assert not any(b"Traceback" in part for each in said for part in each), said
        assert 0 in [process.returncode for process in pair], said
        assert [pull["state"] for pull in project.github.pulls] == ["open"], said
        assert clone(project) == before, said
        project.pr()
        assert [pull["state"] for pull in project.github.pulls] == ["open"]
