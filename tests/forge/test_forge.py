"""Requests and answers as GitHub describes them; nothing is made twice, whatever happens."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest
import requests

from distify.assistant.cli import pr
from distify.assistant.pull.forge import Access, ForgeProblem, Pull
from distify.assistant.pull.github_api import GitHub as Forge
from repeated import one_in

from . import server
from .server import REPOSITORY, TOKEN, Fault, GitHub, Redirect, served

PULL = Pull(1, "", "", "", "", False)


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
    assert forge.update(made, "Again", "another").title == "Again"
    forge.label(1, ["distify"])
    forge.assign(1, ["someone"])
    forge.request_reviews(1, ["other"], ["team"])
    forge.close(1)
    assert forge.open_pull("work", "main") is None


def test_a_milestone_is_found_by_its_number_or_its_title(forge: Forge, github: GitHub) -> None:
    create(forge)
    github.milestones = [f"v{n}" for n in range(250)]
    forge.set_milestone(1, "v249")
    assert github.pulls[0]["under"] == "v249"
    forge.set_milestone(1, "3")
    assert github.pulls[0]["under"] == "v2"
    with pytest.raises(ForgeProblem, match="no open milestone 'v250': open ones are 'v0', 'v1'"):
        forge.set_milestone(1, "v250")
    github.milestones = []
    with pytest.raises(ForgeProblem, match="there is no open one at all"):
        forge.set_milestone(1, "v1")


@pytest.mark.parametrize("repository", [{"id": 2}, None])
def test_a_pull_request_from_a_fork_is_not_ours(
    forge: Forge, github: GitHub, repository: dict[str, int] | None
) -> None:
    """A fork of the same owner, which GitHub lists under the same label, and one that is gone."""
    create(forge)
    head = github.pulls[0]["head"]
    head["repo"] = {**head["repo"], **repository} if repository else None
    assert forge.open_pull("work", "main") is None
    if repository is None:
        github.wrong.clear()  # GitHub does send that, although its description says otherwise


def test_a_pull_request_to_another_base_is_another_one(forge: Forge, github: GitHub) -> None:
    create(forge)
    github.pulls[0]["base"]["ref"] = "release"
    assert forge.open_pull("work", "main") is None
    assert [pull.base for pull in forge.open_pulls("work")] == ["release"]


@pytest.mark.parametrize("late", [0, 1, 2])
def test_one_that_is_listed_late_is_found(forge: Forge, github: GitHub, late: int) -> None:
    """It was made in fact, then GitHub says so, and its lists follow a moment after."""
    github.faults.append(Fault("POST", "/pulls$", 502, done=True))
    github.late = late
    assert create(forge) == 1
    assert len(github.pulls) == 1


def test_one_that_another_run_made_meanwhile_is_taken(forge: Forge, github: GitHub) -> None:
    assert create(forge) == create(forge) == 1
    assert len(github.pulls) == 1


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
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"}, 60),
        (403, {"X-RateLimit-Remaining": "0"}, 60),
        (429, {"Retry-After": "²"}, 60),
        (429, {"Retry-After": "0"}, 1),
        (403, {"Retry-After": "date"}, 30),
    ],
)
def test_rate_limits_are_waited_for(
    forge: Forge, github: GitHub, waits: list[float], status: int,
    headers: dict[str, str], pause: int,
) -> None:  # fmt: skip
    if headers.get("X-RateLimit-Reset", "").isdecimal():
        headers = {**headers, "X-RateLimit-Reset": str(int(time.time()) + pause)}
    if "date" in headers.values():
        headers = {"Retry-After": formatdate(time.time() + pause, usegmt=True)}
    github.faults.append(Fault("POST", "/pulls$", status, headers=headers))
    assert create(forge) == 1
    assert len(github.pulls) == 1
    assert waits == [pytest.approx(pause, abs=2)]


def test_a_secondary_limit_that_names_no_time_is_waited_for(
    forge: Forge, github: GitHub, waits: list[float]
) -> None:
    said = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}
    github.faults.append(Fault("POST", "/pulls$", 403, body=said, times=2))
    assert create(forge) == 1
    assert waits == [60, 60]


def test_a_limit_that_never_ends_is_told(forge: Forge, github: GitHub, waits: list[float]) -> None:
    github.faults.append(Fault("GET", "", 429, times=99))
    with pytest.raises(ForgeProblem, match="rate limit is used up"):
        forge.default_branch()
    assert sum(waits) <= 300


@pytest.mark.parametrize("after", ["reset", "0", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_limit_that_should_be_over_is_asked_about_ever_less(
    forge: Forge, github: GitHub, waits: list[float], after: str
) -> None:
    past = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) - 600)}
    headers = past if after == "reset" else {"Retry-After": after}
    github.faults.append(Fault("GET", "/pulls", 429, times=1000, headers=headers))
    with pytest.raises(ForgeProblem, match="rate limit is used up"):
        forge.open_pull("work", "main")
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128]


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
        (Fault("POST", "/pulls$", 422, body={"message": "No drafts here."}), "No drafts here; "),
    ],
)
def test_what_is_missing_is_named(forge: Forge, github: GitHub, fault: Fault, told: str) -> None:
    github.faults.append(fault)
    with pytest.raises(ForgeProblem, match="GitHub says") as problem:
        create(forge)
    assert told in str(problem.value)
    assert not github.pulls


@pytest.mark.parametrize(
    ("status", "said", "told"),
    [
        (403, "Resource protected by organization SAML enforcement.", "authorize the token"),
        (403, "The `x` organization has an IP allow list enabled.", "address of this machine"),
        (403, "Repository was archived so is read-only.", "an archived repository"),
        (403, "Unable to create comment because issue is locked.", "unlock the conversation"),
        (403, "Sorry. Your account was suspended.", "another account"),
        (409, "Git Repository is empty.", "like that at GitHub"),
        (410, "Issues are disabled for this repo", "like that at GitHub"),
        (451, "Repository access blocked", "like that at GitHub"),
    ],
)
def test_what_no_permission_would_change_is_not_blamed_on_one(
    forge: Forge, github: GitHub, status: int, said: str, told: str
) -> None:
    github.faults.append(Fault("POST", "/pulls$", status, body={"message": said}))
    with pytest.raises(ForgeProblem, match="GitHub says") as problem:
        create(forge)
    assert told in str(problem.value)
    assert "permission" not in str(problem.value)
    assert "look at the inputs" not in str(problem.value)


@pytest.mark.parametrize("errors", [["Not by its author."], "Not by its author.", None])
def test_what_github_says_is_told_in_whatever_form(
    forge: Forge, github: GitHub, errors: object
) -> None:
    said = {"message": "Unprocessable" if errors else "Not by its author.", "errors": errors}
    github.faults.append(Fault("POST", "/requested_reviewers$", 422, body=said))
    create(forge)
    with pytest.raises(ForgeProblem, match="Not by its author; this is what was asked for"):
        forge.request_reviews(1, ["author"], [])


@pytest.mark.parametrize("path", ["/pulls$", "/comments$"])
@pytest.mark.parametrize("status", [403, 404])
def test_what_may_not_be_seen_is_told_with_the_permission(
    forge: Forge, github: GitHub, path: str, status: int
) -> None:
    github.faults.append(Fault("GET", path, status))
    with pytest.raises(ForgeProblem, match="`pull-requests: write`"):
        forge.open_pull("work", "main") if "pulls" in path else forge.comment(1, "Look.")


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (
            "organization_members=read; administration=write",
            "permission `organization-members: read`",
        ),
        ("issues=write; pull_requests=write", "permission `pull-requests: write`"),
        ("contents=read, pull_requests=write", "`contents: read` and `pull-requests: write`"),
    ],
)
def test_the_permission_that_github_names_is_told(
    forge: Forge, github: GitHub, named: str, told: str
) -> None:
    headers = {"X-Accepted-GitHub-Permissions": named}
    github.faults.append(Fault("POST", "/requested_reviewers$", 403, headers=headers))
    create(forge)
    with pytest.raises(ForgeProblem, match=told):
        forge.request_reviews(1, [], ["team"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    one_in(
        4,
        [b"<html>Sign in to the network</html>", b"", b"null", b"[1]", b'{"ok": true}', b"7",
         b"[" * 100_000],
    ),
)  # fmt: skip
def test_an_answer_that_is_none_of_githubs_is_told(
    forge: Forge, github: GitHub, answer: bytes
) -> None:
    github.garbled = answer
    for ask in (
        lambda: create(forge),  # it is there from here on
        forge.default_branch,
        lambda: forge.open_pulls("x"),
        lambda: list(forge.comments(1)),
        lambda: forge.update(PULL, "title", "body"),
    ):
        with pytest.raises(ForgeProblem, match="GITHUB_API_URL, and for a proxy"):
            ask()


@pytest.mark.parametrize("api", ["api.github.com", "", "http://", "ftp://x/y", "http://[x"])
def test_an_address_that_is_none_is_told_at_once(api: str, waits: list[float]) -> None:
    with pytest.raises(ForgeProblem, match="no address of an API"):
        Forge(Access(api, REPOSITORY, TOKEN), waits.append).default_branch()
    assert waits == []


def test_a_redirect_to_no_address_is_told(forge: Forge, github: GitHub) -> None:
    github.redirects.append(Redirect("/pulls", "http://[x", 302))
    with pytest.raises(ForgeProblem, match="no address of an API"):
        forge.open_pulls("work")


def test_a_proxy_that_is_not_there_is_told(
    waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://name:pa55word@127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    forge = Forge(Access("http://ghe.example", REPOSITORY, TOKEN), waits.append)
    with pytest.raises(ForgeProblem, match="look at HTTPS_PROXY") as told:
        forge.default_branch()
    assert "pa55word" not in str(told.value)


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
        ("/pulls", {"head": "work", "base": "main", "title": "t", "drafts": True}),
        ("/pulls/1", {"labels": ["x"]}),
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


def test_a_long_wait_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    for seconds in (2.0, 61.0):
        pr.wait(seconds)
    assert slept == [2.0, 61.0]
    assert capsys.readouterr().err == "waiting for 61 s, as the server asks\n"
