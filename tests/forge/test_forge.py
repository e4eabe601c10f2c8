"""Requests and answers as GitHub describes them; nothing is made twice, whatever happens."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from distify.assistant.forge import Access, Forge, ForgeProblem

from . import server
from .server import REPOSITORY, TOKEN, Fault, GitHub, served


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHub]:
    """A repository with a branch `work`, two commits ahead of nothing."""
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
    found = GitHub(bare)
    tree = subprocess.run(
        ["git", "-C", str(bare), "mktree"], input="", capture_output=True, text=True, check=True
    ).stdout.strip()
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    sha = found.git(*who, "commit-tree", "-m", "Begin", tree)
    for branch in ("main", "work"):
        found.git("update-ref", f"refs/heads/{branch}", sha)
    with served(found):
        yield found


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def forge(github: GitHub, waits: list[float]) -> Forge:
    return Forge(Access(github.url, REPOSITORY, TOKEN), waits.append)


def create(forge: Forge) -> int:
    return forge.create("work", "main", "Migrate", "the body", False).number


def test_a_pull_request_from_its_making_to_its_end(forge: Forge, github: GitHub) -> None:
    assert forge.default_branch() == "main"
    assert forge.open_pull("work", "main") is None
    made = forge.create("work", "main", "Migrate", "the body", True)
    assert (made.number, made.title, made.draft) == (1, "Migrate", True)
    assert made.head == github.head("work")
    assert forge.open_pull("work", "main") == made
    assert forge.open_pull("other", "main") is None
    assert forge.update(1, "Again", "another").title == "Again"
    forge.label(1, ["distify"])
    forge.assign(1, ["someone"])
    forge.request_reviews(1, ["other"], ["team"])
    forge.close(1)
    forge.delete_branch("work")
    assert forge.open_pull("work", "main") is None
    assert not github.head("work")


def test_a_branch_with_slashes_is_deleted(forge: Forge, github: GitHub) -> None:
    github.git("update-ref", "refs/heads/distify/migrate", github.head("main"))
    forge.delete_branch("distify/migrate")
    assert not github.head("distify/migrate")


def test_a_comment_is_made_once(forge: Forge, github: GitHub) -> None:
    create(forge)
    github.comments[1] = [f"a person's, number {n}" for n in range(150)]
    assert forge.comment(1, "Look here.") is True
    assert forge.comment(1, "Look here.") is False
    assert forge.comment(1, "Something else.") is True
    assert len(github.comments[1]) == 152


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_failing_server_makes_no_second_pull_request(
    forge: Forge, github: GitHub, waits: list[float], status: int, done: bool
) -> None:
    github.faults.append(Fault("POST", "/pulls$", status, times=2, done=done))
    assert create(forge) == 1
    assert len(github.pulls) == 1
    assert waits


@pytest.mark.parametrize("done", [True, False])
def test_a_failing_server_makes_no_second_comment(forge: Forge, github: GitHub, done: bool) -> None:
    create(forge)
    github.faults.append(Fault("POST", "/comments$", 502, done=done))
    assert forge.comment(1, "Look here.") is True
    assert len(github.comments[1]) == 1


def test_a_server_that_stays_broken_is_told(forge: Forge, github: GitHub) -> None:
    github.faults.append(Fault("GET", "/pulls$", 503, times=99))
    with pytest.raises(ForgeProblem, match="GitHub failed \\(503\\) at GET /pulls"):
        forge.open_pull("work", "main")


def test_a_server_that_is_not_there_is_told(waits: list[float]) -> None:
    forge = Forge(Access("http://127.0.0.1:9", REPOSITORY, TOKEN), waits.append)
    with pytest.raises(ForgeProblem, match="did not answer") as told:
        forge.default_branch()
    assert TOKEN not in str(told.value)
    assert len(waits) == 4


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (429, {"Retry-After": "7"}, 7),
        (403, {"Retry-After": "3"}, 3),
        (429, {}, 60),
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "20"}, 20),
    ],
)
def test_rate_limits_are_waited_for(
    forge: Forge, github: GitHub, waits: list[float], status: int,
    headers: dict[str, str], pause: int,
) -> None:  # fmt: skip
    if "X-RateLimit-Reset" in headers:
        headers = {**headers, "X-RateLimit-Reset": str(int(time.time()) + pause)}
    github.faults.append(Fault("POST", "/pulls$", status, headers=headers))
    assert create(forge) == 1
    assert len(github.pulls) == 1
    assert waits == [pytest.approx(pause, abs=2)]


def test_a_rate_limit_of_an_hour_is_told(forge: Forge, github: GitHub, waits: list[float]) -> None:
    github.faults.append(Fault("GET", "", 429, headers={"Retry-After": "3600"}))
    with pytest.raises(ForgeProblem, match="try again in 3600 s"):
        forge.default_branch()
    assert waits == []


NO_PULLS = "GitHub Actions is not permitted to create or approve pull requests."


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault("POST", "/pulls$", 403, body={"message": NO_PULLS}), "Actions, General"),
        (Fault("POST", "/pulls$", 404), "`pull-requests: write`, which forks don't get"),
        (Fault("POST", "/pulls$", 422, body={"message": "Validation Failed"}), "inputs"),
    ],
)
def test_what_is_missing_is_named(forge: Forge, github: GitHub, fault: Fault, told: str) -> None:
    github.faults.append(fault)
    with pytest.raises(ForgeProblem, match="GitHub says") as problem:
        create(forge)
    assert told in str(problem.value)
    assert not github.pulls


def test_a_wrong_token_is_named_but_never_shown(github: GitHub) -> None:
    access = Access(github.url, REPOSITORY, "wrong-secret")
    with pytest.raises(ForgeProblem, match="token is not valid") as problem:
        Forge(access).default_branch()
    assert "wrong-secret" not in f"{problem.value}{access!r}"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/pulls", {"head": "work", "title": "no base"}),
        ("/pulls", {"head": "work", "base": "main", "title": "t", "draft": "yes"}),
        ("/nowhere", {}),
    ],
)
def test_the_server_knows_what_it_may_be_asked(
    github: GitHub, path: str, body: dict[str, object]
) -> None:
    requests.post(f"{github.url}/repos/{REPOSITORY}{path}", json=body, timeout=10)
    assert github.wrong
    github.wrong.clear()


def test_the_server_knows_what_it_may_answer(
    forge: Forge, github: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "example", lambda *of: {"id": "no number"})
    forge.default_branch()
    assert "required property" in github.wrong[0]
    github.wrong.clear()


def test_a_netrc_does_not_take_the_tokens_place(
    forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    monkeypatch.setenv("NETRC", str(netrc))
    assert forge.default_branch() == "main"
