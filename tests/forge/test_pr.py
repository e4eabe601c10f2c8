"""`distify pr` from the first pull request to the last, against a server that checks everything."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from .project import BLOCKED, BRANCH, TRAIN, Project
from .runner import parse
from .server import REPOSITORY, TOKEN, Fault, GitHub, served


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHub]:
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
    with served(GitHub(bare)) as found:
        yield found


@pytest.fixture
def project(github: GitHub, tmp_path: Path) -> Project:
    made = Project(github, tmp_path / "clone")
    made.change("Begin", train_py=TRAIN, other_py="print('no training')\n")
    return made


def outputs(project: Project) -> dict[str, str]:
    return parse(project.output.read_text(encoding="utf-8"))


def test_from_the_first_pull_request_to_its_end(project: Project, github: GitHub) -> None:
    status = project.git("status", "--porcelain"), project.git("for-each-ref")
    project.pr()
    first = github.head(BRANCH)
    (pull,) = github.pulls
    assert outputs(project) == {
        "pull-request-number": "1",
        "pull-request-url": f"https://github.example/{REPOSITORY}/pull/1",
        "pull-request-operation": "created",
        "pull-request-head-sha": first,
        "pull-request-branch": BRANCH,
    }
    assert (
        github.git("log", "--format=%s", f"main..{BRANCH}")
        .splitlines()[-1]
        .startswith("distify(D101): ")
    )
    assert (project.git("status", "--porcelain"), project.git("for-each-ref")) == status

    text = pull["body"]
    project.pr()
    assert outputs(project)["pull-request-operation"] == "none"
    assert outputs(project)["pull-request-number"] == "1"
    assert (github.head(BRANCH), pull["body"]) == (first, text)

    project.change("More", more_py=TRAIN.replace("0.1", "0.2"))
    project.pr()
    assert outputs(project)["pull-request-operation"] == "updated"
    second = github.head(BRANCH)
    assert second not in ("", first)
    assert outputs(project)["pull-request-head-sha"] == second
    assert "more.py" in pull["body"]
    assert github.git("rev-parse", f"{BRANCH}:more.py") != github.git("rev-parse", "main:more.py")

    theirs = project.human()
    project.change("Again", more_py=None)
    for _ in range(2):
        project.pr()
        assert outputs(project)["pull-request-operation"] == "none"
        assert github.head(BRANCH) == theirs
        assert len(github.comments[1]) == 1
    assert "leaves the branch alone" in github.comments[1][0]

    github.git("update-ref", f"refs/heads/{BRANCH}", second)  # they took it back
    project.change("Done", train_py=None)
    project.pr()
    assert outputs(project)["pull-request-operation"] == "closed"
    assert pull["state"] == "closed"
    assert not github.head(BRANCH)
    project.pr()
    assert outputs(project)["pull-request-operation"] == "none"
    assert outputs(project)["pull-request-number"] == ""
    assert len(github.pulls) == 1
