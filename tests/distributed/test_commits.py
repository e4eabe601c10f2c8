"""After every commit of a series the program still runs, on one process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
IDENTITY = ("-c", "user.name=x", "-c", "user.email=x@y")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", *IDENTITY, *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("name", ["keras_fit_arrays.py", "tape_function.py"])
def test_the_program_runs_after_every_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / name).write_bytes((EXAMPLES / name).read_bytes())
    git(project, "init", "-q", "-b", "main")
    git(project, "add", name)
    git(project, "commit", "-q", "-m", "as it was")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "x")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "x@y")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "x")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "x@y")
    distify = [sys.executable, "-m", "distify.assistant", "migrate", "--commit", name]
    subprocess.run(distify, cwd=project, check=True)
    commits = git(project, "rev-list", "--reverse", "HEAD").split()
    assert len(commits) > 5
    for commit in commits[1:]:
        git(project, "checkout", "-q", "--detach", commit)
        done = run(project / name, tmp_path)
        subject = git(project, "log", "-1", "--format=%s")
        assert done.returncode == 0, subject + done.stderr[-2000:]


def run(program: Path, folder: Path) -> Any:
    """In a folder of its own: some examples write files."""
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, str(program)],
        cwd=scratch,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
