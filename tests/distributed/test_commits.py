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
    programs = [tmp_path / commit / name for commit in commits[1:]]
    for program in programs:
        program.parent.mkdir()
        written = git(project, "show", f"{program.parent.name}:{name}")
        program.write_text(written, encoding="utf-8")
    done = run([str(program) for program in programs])
    ended = done.stdout.split(chr(0))[:-1]  # what each printed
    subjects = git(project, "log", "--reverse", "--format=%s", f"{commits[0]}..HEAD").splitlines()
    assert done.returncode == 0, subjects[len(ended)] + done.stderr[-2000:]
    assert len(ended) == len(subjects) == len(programs)


# One after another in one process: most of a run is to import TensorFlow. Some write files.
EACH = """
import os, runpy, sys
programs = sys.argv[1:]
del sys.argv[1:]
for program in programs:
    os.chdir(os.path.dirname(program))
    runpy.run_path(program, run_name="__main__")
    print(end=chr(0), flush=True)
"""


def run(programs: list[str]) -> Any:
    """Each in the folder in which it lies."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-c", EACH, *programs],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
