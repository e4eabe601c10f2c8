"""A branch that is pushed to a fork: the pull request comes from there, no other branch moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.git.command import Refused
from distify.assistant.pull import access

from .project import BRANCH, TRAIN, Project
from .server import FORK, REPOSITORY, TOKEN, Fault
from .test_pr import operation

TO_FORK = ("--push-to-fork", FORK)
slow = pytest.mark.slow


def fork_of(project: Project) -> Path:
    assert project.github.fork
    return project.github.fork


@slow
def test_from_the_first_pull_request_to_its_end(project: Project) -> None:
    github, fork = project.github, fork_of(project)
    project.pr(*TO_FORK)
    (pull,) = github.pulls
    assert (operation(project), pull["owner"]) == ("created", "Another")
    assert not github.head(BRANCH)
    first = github.head(BRANCH, fork)
    assert first
    assert f"({github.url}/{FORK}/commit/{first})" in pull["body"]
    assert f"{github.url}/{REPOSITORY}/commit" not in pull["body"]

    project.pr(*TO_FORK)
    assert (operation(project), github.head(BRANCH, fork)) == ("none", first)
    project.change("More", more_py=TRAIN)
    project.pr(*TO_FORK)
    assert operation(project) == "updated"
    assert github.head(BRANCH, fork) != first
    project.change("Done", train_py=None, more_py=None)
    project.pr(*TO_FORK)
    assert (operation(project), pull["state"]) == ("closed", "closed")
    assert not github.head(BRANCH, fork)
    assert not github.head(BRANCH)


@slow
def test_a_branch_of_that_name_in_the_repository_itself_is_another_one(project: Project) -> None:
    project.git("push", "-q", str(project.github.bare), f"main:refs/heads/{BRANCH}")
    before = project.github.head(BRANCH)
    project.pr(*TO_FORK)
    assert operation(project) == "created"
    assert project.github.head(BRANCH) == before
    project.pr()
    assert len(project.github.pulls) == 2
    project.pr(*TO_FORK)
    assert operation(project) == "none"


@slow
def test_a_persons_commit_in_the_fork_stays(project: Project) -> None:
    project.pr(*TO_FORK)
    fork = str(fork_of(project))
    project.git("fetch", "-q", fork, BRANCH)
    tree = project.git("rev-parse", "FETCH_HEAD^{tree}")
    theirs = project.git("commit-tree", "-p", "FETCH_HEAD", "-m", "Mine", tree)
    project.git("push", "-q", fork, f"{theirs}:refs/heads/{BRANCH}")
    project.change("More", more_py=TRAIN)
    project.pr(*TO_FORK)
    assert project.github.head(BRANCH, fork_of(project)) == theirs
    assert len(project.github.comments[1]) == 1


@slow
def test_a_token_that_may_not_push_there_is_told(project: Project) -> None:
    project.github.read_only = True
    assert "needs the permission `contents: write`" in project.pr(*TO_FORK, code=2)
    assert project.github.pulls == []


@slow
def test_a_fork_that_is_none_is_told(project: Project) -> None:
    said = project.pr("--push-to-fork", "Nobody/nothing", code=2)
    assert "Nobody/nothing" in said
    assert TOKEN not in said
    project.github.faults.append(Fault("POST", "/pulls$", 422, body={"message": "No fork"}))
    assert "No fork; this is what was asked for" in project.pr(*TO_FORK, code=2)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("https://github.com/o/r.git", "https://github.com/me/r2.git"),
        ("https://github.com/o/r/", "https://github.com/me/r2.git"),
        ("git@github.com:o/r.git", "git@github.com:me/r2.git"),
        ("ssh://git@ssh.github.com:443/o/r", "ssh://git@ssh.github.com:443/me/r2.git"),
        ("https://cache.x/github.com/o/r.git", "https://cache.x/github.com/me/r2.git"),
        ("/srv/r.git", "https://github.com/me/r2.git"),
        ("https://github.com/o/r.git.evil.example/x", "https://github.com/me/r2.git"),
    ],
)
def test_where_a_fork_is(origin: str, expected: str) -> None:
    place = access.Where("https://github.com", "https://api.github.com", "o/r")
    assert access.fork_address(origin, place, "me/r2") == expected


@pytest.mark.parametrize(
    "fork", ["r2", "me/r2/x", "../r", "https://evil.example/r", "me/r 2", "O/R"]
)
def test_what_is_no_fork_is_refused(fork: str) -> None:
    place = access.Where("https://github.com", "https://api.github.com", "o/r")
    with pytest.raises(Refused, match=r"fork|repository"):
        access.fork_address("https://github.com/o/r", place, fork)
